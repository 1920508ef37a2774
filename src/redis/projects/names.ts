import type { KeyedProject } from "../../config/projects.ts"
import type { StoreOptions } from "../store-options.ts"

/** Names of projects as people type them, and the keys that Redis knows them by. */
export interface ProjectNames {
  storedAs: (name: string) => string
  /** A project that is not configured gets a name that none has. */
  nameOf: (stored: string) => string
}

export type ReadProjectNames = () => Promise<ProjectNames>

/** Options of a store whose records name projects. */
export interface NamedStoreOptions extends StoreOptions {
  /** Absent: projects are called as they are stored. */
  names?: ReadProjectNames
}

/** Every project is stored under the name that it has. */
export const SAME_NAMES: ReadProjectNames = async () => ({
  storedAs: (name) => name,
  nameOf: (stored) => stored,
})

/** Whatever belongs to a project, as people call it. The stores alone know keys. */
export function called<T extends { project: string }>(names: ProjectNames, of: T): T {
  return { ...of, project: names.nameOf(of.project) }
}

/** The same as it is stored. */
export function stored<T extends { project: string }>(names: ProjectNames, of: T): T {
  return { ...of, project: names.storedAs(of.project) }
}

export function projectNames(projects: readonly KeyedProject[]): ReadProjectNames {
  const names: ProjectNames = {
    storedAs: (name) => projects.find((one) => one.name === name)?.key ?? name,
    nameOf: (stored) => projects.find((one) => one.key === stored)?.name ?? `${stored} (removed)`,
  }
  return async () => names
}
