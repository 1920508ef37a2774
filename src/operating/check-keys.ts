import type { Config } from "../config/config.ts"
import { createDocsClient } from "../docs-service/docs-client.ts"
import { type DocsError, orDocsError } from "../docs-service/docs-error.ts"
import type { Log } from "../lib/log.ts"
import type { SecretFilter } from "../lib/secret-filter.ts"
import { judgeRead } from "./doctor/check-service.ts"

/** Id that no job has: where key, project and address are right, the service can't find it. */
const NO_JOB = "key-check"

/**
 * Reads each project once at the start, in a way that costs nothing of the service's limits, and
 * warns if that shows a wrong key, project or address. Never stops the start: the service may be
 * away, and the bot can accept requests until it is back.
 */
export async function warnAboutKeys(config: Config, secrets: SecretFilter, log: Log) {
  await using docs = createDocsClient(config.docs, secrets)
  const reads = config.docs.projects.map(async (project) => {
    const error = await docs.getJob(project.key, NO_JOB).then(() => undefined, orDocsError)
    if (!error || isAboutTheJob(error)) return
    const { says, next } = judgeRead(error, project, config)
    log.warn({ project: project.name, next }, says)
  })
  await Promise.all(reads)
}

/** Returns whether only the job is unknown. A service that knows no such project says so. */
function isAboutTheJob({ fault, status, detail = "" }: DocsError): boolean {
  if (fault === "rate_limited" || status === 400) return true
  return fault === "not_found" && !/\bproject\b/i.test(detail)
}
