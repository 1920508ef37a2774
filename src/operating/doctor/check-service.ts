import type { Config } from "../../config/config.ts"
import type { KeyedProject } from "../../config/projects.ts"
import { createDocsClient } from "../../docs-service/docs-api.ts"
import { type DocsError, type DocsFault, orDocsError } from "../../docs-service/docs-error.ts"
import type { OnRequest } from "../../docs-service/send-request.ts"
import { fingerprint, type SecretFilter } from "../../lib/secrets.ts"
import { addDays, dayOf, HOUR_MS } from "../../lib/time.ts"
import { FAULTS, newKey, type Setup } from "../../messages/fault-words.ts"
import type { RedisClient } from "../../store/script.ts"
import { limitAnalytics } from "../../visitors/analytics-limit.ts"
import { about, type Finding } from "./finding.ts"
import { whyNoConnection } from "./proxies-and-certificates.ts"

const { ok, warning, fault } = about("service")

/** Reads one row of visitors per project, the cheapest request that needs the key. */
export async function checkService(
  config: Config,
  redis: RedisClient | undefined,
  secrets: SecretFilter,
  onRequest?: OnRequest,
): Promise<Finding[]> {
  const { docs, limits } = config
  await using client = createDocsClient(docs, secrets, onRequest)
  const today = dayOf(Date.now())
  const days = { dateFrom: addDays(today, -1), dateTo: today }
  const checkOne = async (project: KeyedProject): Promise<Finding> => {
    const read = () => client.visitors(project.key, { ...days, limit: 1, offset: 0 })
    const accountOf = () => fingerprint(project.apiKey)
    const hour = { perHour: limits.analyticsPerHour, timeoutMs: docs.timeoutMs, accountOf }
    // Counts the read in the hourly analytics limit, if there is a Redis to count in.
    const reading = redis ? limitAnalytics({ redis }, hour)(undefined, project.key, read) : read()
    const error = await reading.then(() => undefined, orDocsError)
    const works = `${keyOf(project)} works (starting requests isn't tested)`
    return error ? judgeRead(error, project, config) : ok(works)
  }
  return await Promise.all(docs.projects.map(checkOne))
}

function keyOf({ name, isSingle }: KeyedProject): string {
  return isSingle ? "DOCS_API_KEY" : `The key for project ${name}`
}

/** Explains a failed read. Names the setting and not the refused id, which may be a key. */
function judgeRead(error: DocsError, project: KeyedProject, config: Config): Finding {
  const { docs, isInContainer } = config
  const party = {
    name: "the documentation service",
    url: docs.baseUrl,
    setting: "DOCS_API_URL",
  }
  const unreached = whyNoConnection(error.cause, party)
  if (unreached) return fault(unreached.says, unreached.next)
  const { status, detail, retryAfterMs = HOUR_MS } = error
  const key = keyOf(project)
  // An exhausted hourly limit says nothing about the setup.
  if (error.fault === "rate_limited") {
    const says = `${key} wasn't checked: the hourly analytics limit has been reached`
    return warning(says, `Run the doctor again in ${Math.ceil(retryAfterMs / 60_000)} min.`)
  }
  const setting = project.isSingle ? "DOCS_API_KEY" : "DOCS_PROJECTS"
  const [says, next] = verdicts({ isInContainer, setting })[verdictOf(error)] ?? ELSEWHERE
  const name = project.isSingle ? "the project in DOCS_PROJECT_ID" : `project ${project.name}`
  const more = `${status === undefined ? "" : ` (${status})`}${detail === undefined ? "" : `: ${detail}`}`
  const words = says.replace("{key}", key).replace("{project}", name)
  return fault(words + more, next)
}

type Verdict = DocsFault | "redirects" | "unpaid"

/** Returns the verdict on a failed read: some errors say more about the setup than their fault. */
function verdictOf({ fault, status = 0 }: DocsError): Verdict {
  if (status >= 300 && status < 400) return "redirects"
  return status === 402 ? "unpaid" : fault
}

const ADDRESS = "Check DOCS_API_URL: it's the base URL of the service, without /v1 or /v2."
const ELSEWHERE = ["DOCS_API_URL doesn't point to the documentation service", ADDRESS] as const
const SILENT = [
  "The documentation service isn't responding",
  `${ADDRESS} Check that this machine can reach it.`,
] as const

/** Returns what each verdict says of {key} and {project}, and what to do. */
const verdicts = (setup: Setup): Partial<Record<Verdict, readonly [string, string]>> => ({
  redirects: [
    "DOCS_API_URL redirects to another address",
    "Set DOCS_API_URL to the final address, usually the same one with https://.",
  ],
  unpaid: [
    "The documentation service demands a payment or another plan for {project}",
    "Check the plan and the billing in your documentation service's dashboard.",
  ],
  key_refused: [
    "{key} was rejected by the documentation service",
    `${newKey(setup)} If it is new, check that the key and the project ID aren't swapped.`,
  ],
  forbidden: [
    "{key} can't read {project}",
    `${FAULTS.forbidden.next(setup)} Check that the project ID matches, too.`,
  ],
  not_found: [
    "The documentation service can't find {project}",
    `Copy the project ID from the API keys page of your documentation service's dashboard. ${ADDRESS}`,
  ],
  unreachable: SILENT,
  interrupted: SILENT,
  server_error: [
    "The documentation service reported an internal error",
    "Run the doctor again later. If it keeps happening, contact the service's support.",
  ],
})

/** Id that no job has: where key, project and address are right, the service can't find it. */
const NO_JOB = "key-check"

/**
 * Reads each project once, in a way that costs nothing of the service's limits. Lists what that
 * shows of a wrong key, project or address.
 */
export async function keysInDoubt(
  config: Config,
  secrets: SecretFilter,
  onRequest: OnRequest,
): Promise<Finding[]> {
  await using docs = createDocsClient(config.docs, secrets, onRequest)
  const reads = config.docs.projects.map(async (project) => {
    const error = await docs.getJob(project.key, NO_JOB).then(() => undefined, orDocsError)
    return !error || isAboutTheJob(error) ? [] : [judgeRead(error, project, config)]
  })
  return (await Promise.all(reads)).flat()
}

/** Returns whether only the job is unknown. A service that knows no such project says so. */
function isAboutTheJob({ fault, status, detail = "" }: DocsError): boolean {
  if (fault === "rate_limited" || status === 400) return true
  return fault === "not_found" && !/\bproject\b/i.test(detail)
}
