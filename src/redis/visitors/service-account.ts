import { type Secret, secret } from "../../config/secret.ts"
import { addressOf, fingerprintOf } from "../key-fingerprint.ts"

/**
 * Whose hour a project's analytics requests count in, and whose numbers it reads: the service's
 * address and its key. A key belongs to an organization of the service, which counts by it; what a
 * project is called counts for nothing.
 */
interface ServiceAccounts {
  /** The same for every project with this key. */
  of: (project: string) => string
  /** Tells the project from all others, at this service and with this key. */
  ofProject: (project: string) => string
}

/** Pure. A project that is not configured stands for itself: the service is never asked about it. */
export function serviceAccounts({
  baseUrl,
  projects,
}: {
  baseUrl: string
  projects: readonly { name: string; id: string; apiKey: Secret }[]
}): ServiceAccounts {
  const byName = new Map(projects.map((project) => [project.name, project]))
  const accountOf = (apiKey: Secret) =>
    fingerprintOf(secret(`${addressOf(baseUrl)} ${apiKey.reveal()}`))
  const fingerprints = new Map(projects.map(({ name, apiKey }) => [name, accountOf(apiKey)]))
  const of = (project: string) => fingerprints.get(project) ?? project
  return { of, ofProject: (project) => `${of(project)}:${byName.get(project)?.id ?? project}` }
}
