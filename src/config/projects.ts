import { z } from "zod"
import { type Secret, secret } from "./secret.ts"
import { credential } from "./settings.ts"

/** One project of the documentation service. `name` is what people read and type. */
export interface Project {
  name: string
  id: string
  apiKey: Secret
  /** Channels whose requests go to this project unless something else is said. */
  channels: ReadonlySet<string>
}

/** Names are typed after `project=` and shown in the middle of sentences. */
const name = z
  .string()
  .regex(/^[\w.-]{1,40}$/, "may hold letters, digits, dot, dash and underscore, at most 40")

const projectList = z
  .array(
    z.strictObject({
      name,
      id: z.string().min(1),
      key: credential,
      channels: z.array(z.string().min(1)).default([]),
    }),
  )
  .min(1, "must list at least one project")
  .refine((list) => new Set(list.map((project) => project.name)).size === list.length, {
    error: "must not name two projects alike",
  })

/**
 * `DOCS_PROJECTS`: JSON, or the path of a file that holds it.
 * @returns the projects, or the faults in words that name no value: the value holds keys.
 */
export function parseProjects(
  text: string,
  readFile: (path: string) => string,
): { projects: Project[] } | { faults: string[] } {
  let json: unknown
  try {
    json = JSON.parse(text.trimStart().startsWith("[") ? text : readFile(text))
  } catch {
    return { faults: ["DOCS_PROJECTS must be a JSON list, or the path of a file that holds one"] }
  }
  const parsed = projectList.safeParse(json)
  if (!parsed.success)
    return {
      faults: parsed.error.issues.map(({ path, message }) =>
        `DOCS_PROJECTS ${path.join(".")} ${message}`.replace("  ", " "),
      ),
    }
  return {
    projects: parsed.data.map(({ name, id, key, channels }) => ({
      name,
      id,
      apiKey: secret(key),
      channels: new Set(channels),
    })),
  }
}
