import { z } from "zod"
import { type Secret, secret } from "./secret.ts"
import { channelId, credential } from "./settings.ts"

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
  .regex(/^[\w.-]{1,40}$/, "can have up to 40 letters, digits, dots, dashes and underscores")

const projectList = z
  .array(
    z.strictObject({
      name,
      id: z.string().min(1),
      key: credential,
      channels: z.array(channelId).default([]),
    }),
  )
  .min(1, "must list at least one project")

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

/**
 * Which projects share an account, a name or a channel, so that neither could be told from the
 * other? @param single the project of the single-project variables
 */
export function projectFaults(
  listed: readonly Project[],
  single: Project | undefined,
): readonly string[] {
  const pairs = listed.flatMap((one, n) =>
    listed.slice(n + 1).map((other) => [one, other] as const),
  )
  return [
    ...listed.flatMap((project) => (single ? besideSingle(project, single) : [])),
    ...pairs.flatMap(([one, other]) => besideEachOther(one, other)),
  ]
}

function besideSingle({ name, id }: Project, single: Project): string[] {
  if (id === single.id)
    return [`DOCS_PROJECT_ID is also in DOCS_PROJECTS, as ${name}: keep one of them`]
  if (!isSameName(name, single.name)) return []
  return [
    `DOCS_PROJECTS has a project named ${name}, like the one of DOCS_PROJECT_ID (case is ignored): rename it`,
  ]
}

function besideEachOther(one: Project, other: Project): string[] {
  const [a, b] = [one.name, other.name]
  return [
    ...(one.id === other.id
      ? [`DOCS_PROJECTS lists the same id twice, as ${a} and as ${b}: keep one of them`]
      : []),
    ...(isSameName(a, b)
      ? [`DOCS_PROJECTS has two projects named ${a} (${b}; case is ignored): rename one`]
      : []),
    ...[...one.channels]
      .filter((channel) => other.channels.has(channel))
      .map((c) => `DOCS_PROJECTS gives channel ${c} to ${a} and to ${b}: keep it in one of them`),
  ]
}

/** People type names in any case. */
function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
