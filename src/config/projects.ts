import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { z } from "zod"
import { fingerprint, secret } from "../lib/secrets.ts"
import { channelId, credential, type Env, projectId } from "./environment-variables.ts"

/** Returns the key of a project's records in Redis. Renaming the project does not change it. */
export function projectKey(baseUrl: string, id: string): string {
  const { host, pathname } = new URL(baseUrl)
  const address = `${host}${pathname.replace(/\/+$/, "")}`
  return createHash("sha256").update(`${address} ${id}`).digest("hex").slice(0, 16)
}

/** Name of a project, without spaces because people type it after `project=`. */
const name = z
  .string()
  .regex(/^[\w.-]{1,40}$/, "must be 1 to 40 letters, digits, dots, dashes or underscores")

/** Fault for an invalid list. `docker --env-file` and systemd read only one line. */
const MUST_BE = "must be a JSON list on one line, or the path to a file that contains one"
const projectList = z
  .array(
    z
      .strictObject({
        name,
        id: projectId,
        key: credential.transform(secret),
        channels: z
          .array(channelId)
          .default([])
          .transform((ids) => new Set(ids)),
      })
      .transform(({ key, ...project }) => ({ ...project, apiKey: key, isSingle: false })),
  )
  .min(1, "must list at least one project")

/**
 * Name of the project in `DOCS_PROJECT_ID`. Not its id, in whose place somebody may have put the API
 * key: the log, metrics and Slack show the name.
 */
const SINGLE = "docs"

/** Project from the settings; `isSingle` marks that of `DOCS_PROJECT_ID`. */
type Project = Omit<z.output<typeof projectList>[number], "isSingle"> & { isSingle: boolean }
/** Project with the `key` of its records in Redis. */
export type KeyedProject = Project & { key: string }

export type Projects = ReturnType<typeof createProjects>

/** Makes the look-ups of which project is meant, and of what others need to know of the projects. */
export function createProjects(all: readonly [KeyedProject, ...KeyedProject[]]) {
  const keyIds = new Map(all.map(({ key, apiKey }) => [key, fingerprint(apiKey)]))
  const isNamed = all.some(({ isSingle }) => !isSingle || all.length > 1)
  const nameOf = (project: string) => all.find(({ key }) => key === project)?.name ?? "removed"
  return {
    all,
    keys: all.map(({ key }) => key),
    names: all.map(({ name }) => name),
    /** Returns the project that was typed (undefined if unknown), or the thread's, channel's or first. */
    choose(channel: string, typed?: string, ofThread?: string) {
      if (typed !== undefined)
        return all.find(({ name }) => name.toLowerCase() === typed.toLowerCase())
      const found = all.find(({ key }) => key === ofThread)
      return found ?? all.find(({ channels }) => channels.has(channel)) ?? all[0]
    },
    nameOf,
    /** Returns the project's name for cards; undefined if it's the only one and has none. */
    labelOf: (project: string) => (isNamed ? nameOf(project) : undefined),
    /** Identifies the project's API key without revealing it. */
    keyIdOf: (project: string) => keyIds.get(project) ?? "",
  }
}

interface Listed {
  projects: Project[]
  faults: string[]
}

/**
 * Reads the project in `DOCS_PROJECT_ID` and those in `DOCS_PROJECTS` (JSON, or the path of a JSON
 * file). Faults never quote an id or a key, because the two may have been swapped.
 */
export function readProjects(env: Env): Listed {
  const { DOCS_PROJECTS: list, DOCS_PROJECT_ID: id, DOCS_API_KEY: key } = env
  const { projects, faults } = list === undefined ? { projects: [], faults: [] } : parseList(list)
  const missing = ["DOCS_PROJECT_ID", "DOCS_API_KEY"].filter((name) => env[name] === undefined)
  if (list === undefined) faults.push(...missing.map((name) => `${name} is required`))
  else if (missing.length === 1)
    faults.push("Set both DOCS_PROJECT_ID and DOCS_API_KEY, or neither")
  if (id !== undefined && key !== undefined)
    projects.unshift({ name: SINGLE, id, apiKey: secret(key), channels: new Set(), isSingle: true })
  const others = (n: number) => projects.slice(n + 1)
  faults.push(...projects.flatMap((one, n) => others(n).flatMap((two) => collisions(one, two))))
  return { projects, faults }
}

function parseList(text: string): Listed {
  let json: unknown
  try {
    json = JSON.parse(text.trimStart().startsWith("[") ? text : readFileSync(text, "utf8"))
  } catch (error) {
    // Node's own words may quote the list, and so a key.
    const { code = "not valid JSON" } = error as NodeJS.ErrnoException
    return { projects: [], faults: [`DOCS_PROJECTS ${MUST_BE} (${code})`] }
  }
  const { data = [], error } = projectList.safeParse(json)
  return { projects: data, faults: error?.issues.map(describeFault) ?? [] }
}

/** Describes a fault found in the project list. A value of the wrong type counts as missing. */
function describeFault({ path: [n, field], code, message }: z.core.$ZodIssue): string {
  if (n === undefined) return `DOCS_PROJECTS ${code === "invalid_type" ? MUST_BE : message}`
  const project = `DOCS_PROJECTS: project ${Number(n) + 1}`
  if (code === "unrecognized_keys")
    return `${project} has a field that isn't one of name, id, key and channels`
  const what = field === undefined ? project : `${project}: "${String(field)}"`
  return `${what} ${code === "invalid_type" ? "is missing or has the wrong type" : message}`
}

function collisions(one: Project, other: Project): string[] {
  const a = one.isSingle ? "DOCS_PROJECT_ID" : one.name
  const both = `DOCS_PROJECTS: ${a} and ${other.name}`
  // Ignores case, because people type names in any case.
  const isSameName = one.name.toLowerCase() === other.name.toLowerCase()
  const shared = [...one.channels].filter((channel) => other.channels.has(channel))
  const clashes = shared.map((channel) => `${both} both list ${channel}. Remove it from one`)
  if (one.id === other.id) clashes.unshift(`${both} are the same project. Remove one`)
  else if (isSameName)
    clashes.unshift(`${both} have the same name. Rename one (names aren't case-sensitive)`)
  return clashes
}
