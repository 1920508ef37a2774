import { failure, type Reply } from "../kit/reply.ts"
import type { Settings } from "./settings.ts"
import type { State } from "./state.ts"

export interface ProjectOptions {
  readonly id: string
  readonly key: string
  readonly name?: string
  /** Repository as `owner/name`, also the base path of its pull request pages. */
  readonly repository?: string
}

export type Project = Required<ProjectOptions>

export function project(options: ProjectOptions): Project {
  return { name: options.id, repository: "acme/docs", ...options }
}

/** Returns the project if the key opens it, or the refusal of a key or a project. */
export function authorize(
  projects: ReadonlyMap<string, Project>,
  projectId: string,
  authorization: string,
): { project: Project } | { refusal: Reply } {
  const [, key] = /^Bearer +(\S+) *$/i.exec(authorization) ?? []
  const isKnown = [...projects.values()].some((project) => project.key === key)
  if (!isKnown) return { refusal: failure(401, "Missing or invalid API key") }
  const project = projects.get(projectId)
  if (!project) return { refusal: failure(404, "Unknown project") }
  if (project.key === key) return { project }
  return { refusal: failure(403, "The API key does not belong to this project") }
}

/** Requests that have a limit of their own. */
type LimitedKind = "create" | "message" | "analytics"

const HOUR_MS = 3_600_000

/** "100 uses per project and hour" for messages. */
const LIMITS: Record<LimitedKind, (settings: Settings) => number> = {
  create: (settings) => settings.creationsPerWindow,
  message: () => 100,
  analytics: (settings) => settings.analyticsPerWindow,
}

/**
 * Counts the request in the rolling hour of its project or, for analytics, of its organization,
 * identified by its key. A request counts until it is exactly an hour old. Returns the 429 of a full
 * hour, which doesn't count; the document doesn't specify its shape.
 */
export function admit(state: State, kind: LimitedKind, project: Project): Reply | undefined {
  const now = state.now()
  const key = `${kind} ${kind === "analytics" ? project.key : project.id}`
  const uses = (state.uses.get(key) ?? []).filter((at) => at > now - HOUR_MS)
  // The limit can change at any time.
  const limit = LIMITS[kind](state.settings)
  state.uses.set(key, uses)
  if (uses.length < limit) {
    uses.push(now)
    return undefined
  }
  const leaving = uses[uses.length - limit]
  const seconds = leaving === undefined ? 0 : Math.ceil((leaving + HOUR_MS - now) / 1000)
  const headers = { "retry-after": String(seconds) }
  return failure(429, `Over the limit of ${limit} requests`, undefined, headers)
}
