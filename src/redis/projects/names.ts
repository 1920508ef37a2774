import { secret } from "../../config/secret.ts"
import { whenBack } from "../connection/connect.ts"
import { addressOf, fingerprintOf } from "../key-fingerprint.ts"
import { keys } from "../keys.ts"
import type { RedisClient } from "../script.ts"
import type { StoreOptions } from "../store-options.ts"
import { nameProjects } from "./names.lua.ts"

/** Hour, queue and running jobs belong to the id of a project at a service, whatever it is called. */
export interface ProjectNames {
  /** Under which name a project is stored. */
  storedAs: (name: string) => string
  /** What a stored project is called; one that is not configured gets a name that none has. */
  nameOf: (stored: string) => string
  /** Is it configured, under whichever name? */
  knows: (stored: string) => boolean
  /** Under which names the configured ones are stored. */
  stored: readonly string[]
}

/** They are read once, and again after each connect: a Redis that lost them gets them again. */
export type ReadProjectNames = () => Promise<ProjectNames>

/** Of a store whose records name projects. */
export interface NamedStoreOptions extends StoreOptions {
  /** Absent: projects are called as they are stored. */
  names?: ReadProjectNames
}

interface NamedProject {
  name: string
  id: string
}

const REMOVED = " (removed)"

/** Every project is stored under the name that it has. */
export const SAME_NAMES: ReadProjectNames = async () => ({
  stored: [],
  storedAs: (name) => name,
  nameOf: (stored) => stored,
  knows: () => true,
})

/** Whatever belongs to a project, as people call it. The stores alone know stored names. */
export function called<T extends { project: string }>(names: ProjectNames, of: T): T {
  const project = names.nameOf(of.project)
  return project === of.project ? of : { ...of, project }
}

/** The same as it is stored. */
export function stored<T extends { project: string }>(names: ProjectNames, of: T): T {
  const project = names.storedAs(of.project)
  return project === of.project ? of : { ...of, project }
}

/**
 * The configured projects by their stored names. The name in Redis is the one that a project had when it
 * was first seen, so that every version and every process with whichever settings finds the same keys.
 */
export function createProjectNames(
  redis: RedisClient,
  { baseUrl, projects }: { baseUrl: string; projects: readonly NamedProject[] },
): ReadProjectNames {
  let reading: Promise<ProjectNames> | undefined
  whenBack(redis, () => {
    reading = undefined
  })
  const triples = projects.flatMap(({ name, id }) => [identityOf(baseUrl, id), name, id])
  const read = async () => {
    const prefix = keys.project("").wait.replace(/:wait$/, "")
    const on = { redis, now: undefined }
    const [stored, taken] = await nameProjects(on, keys, { prefix }, triples)
    return projectNames(projects, stored, taken)
  }
  return () => {
    reading ??= read().catch((error) => {
      reading = undefined
      throw error
    })
    return reading
  }
}

/** The same for whoever only looks: nothing is written down of projects that Redis has not seen. */
export function lookUpProjectNames(
  redis: RedisClient,
  { baseUrl, projects }: { baseUrl: string; projects: readonly NamedProject[] },
): ReadProjectNames {
  return async () => {
    const fingerprints = projects.map(({ id }) => identityOf(baseUrl, id))
    const [stored, taken] = await Promise.all([
      redis.hmget(keys.projects, ...fingerprints),
      redis.hvals(keys.projects),
    ])
    return projectNames(
      projects,
      stored.map((name, n) => name ?? projects[n]?.name ?? ""),
      taken,
    )
  }
}

/** Pure. @param stored in the order of the projects @param taken by any project ever seen */
function projectNames(
  projects: readonly NamedProject[],
  stored: readonly string[],
  taken: readonly string[],
): ProjectNames {
  const storedOf = new Map(projects.map(({ name }, n) => [name, stored[n] ?? name]))
  const nameBy = new Map([...storedOf].map(([name, of]) => [of, name]))
  const isTaken = new Set(taken)
  // Names from before projects were told apart by their ids: the configured one, or the id itself.
  const earlier = (name: string) =>
    isTaken.has(name) ? undefined : projects.find((p) => p.name === name || p.id === name)?.name
  const known = (of: string) => nameBy.get(of) ?? earlier(of)
  return {
    stored,
    storedAs: (name) => storedOf.get(name) ?? name.replace(REMOVED, ""),
    nameOf: (of) => known(of) ?? (storedOf.has(of) ? `${of}${REMOVED}` : of),
    knows: (of) => known(of) !== undefined,
  }
}

/** The same for the same project at the same service. */
function identityOf(baseUrl: string, id: string): string {
  return fingerprintOf(secret(`${addressOf(baseUrl)} ${id}`))
}
