import { DocsError, type DocsFault, orDocsError } from "../errors/docs-error.ts"
import type { Pause } from "../jobs/queue-ports.ts"
import type { DocsApi } from "../ports/docs-api.ts"
import { type Finding, fault, ok, warning } from "./finding.ts"

export interface ProjectFacts {
  project: string
  /** What was wrong with reading one row of its visitors, if anything. */
  fault?: { kind: DocsFault; status?: number | undefined; detail?: string | undefined } | undefined
  pause?: Pause | undefined
  /** Jobs were looked for in vain, and none was ever found where the bot looks. `since`: ms */
  missing?: { since: number } | undefined
}

const DAY_MS = 86_400_000

/** Reads one row of yesterday's visitors: the cheapest request that needs the key. */
export async function readOneRow(
  visitors: DocsApi["visitors"],
  project: string,
  now: number,
): Promise<ProjectFacts["fault"]> {
  const day = (at: number) => new Date(at).toISOString().slice(0, 10)
  const [dateFrom, dateTo] = [day(now - DAY_MS), day(now)]
  const query = { dateFrom, dateTo, limit: 1, offset: 0 }
  const answer = await visitors(project, query).catch(orDocsError)
  if (!(answer instanceof DocsError)) return undefined
  return { kind: answer.fault, status: answer.status, detail: answer.detail }
}

export function judgeService(projects: readonly ProjectFacts[]): Finding[] {
  const alone = projects.length === 1
  const well = projects.filter((facts) => facts.fault === undefined)
  return [
    ...judgeWell(well, projects.length),
    ...projects.flatMap((facts) => judgeRead(facts, alone)),
    ...projects.flatMap(judgePause),
    ...projects.flatMap(judgeJobPath),
  ]
}
function judgeWell(well: readonly ProjectFacts[], all: number): Finding[] {
  const [first] = well
  if (!first) return []
  const unspent = "the first job shows whether it can start jobs"
  if (all === 1)
    return [
      ok("service key", `DOCS_API_KEY can read; ${unspent}`),
      ok("project", `The service knows project ${first.project}`),
    ]
  return [
    ok("service key", `The keys can read ${well.length} of ${all} projects; ${unspent}`),
    ok("project", `The service knows ${well.length} of ${all} projects`),
  ]
}

function judgeRead({ project, fault: wrong }: ProjectFacts, alone: boolean): Finding[] {
  if (!wrong) return []
  const key = alone ? "DOCS_API_KEY" : `the key of project ${project}`
  const status = wrong.status === undefined ? "" : ` (${wrong.status})`
  const detail = wrong.detail === undefined ? "" : `: ${wrong.detail}`
  const fill = (text: string) =>
    text.replace("{key}", () => key).replace("{project}", () => project)
  const { says, next } = VERDICTS[wrong.kind]
  const check = wrong.kind === "not_found" ? "project" : "service key"
  // Only a spent hour says nothing about the set-up.
  return wrong.kind === "rate_limited"
    ? [warning(check, fill(says), next)]
    : [fault(check, `${fill(says)}${status}${detail}`, fill(next))]
}

const URL_STEP = "Check DOCS_API_URL: it is the base URL of the service, without /v1 or /v2."

const SILENT = {
  says: "The documentation service isn't responding",
  next: `${URL_STEP} Check that this machine can reach it.`,
}
const NOT_THE_SERVICE = {
  says: "What answers at DOCS_API_URL isn't the documentation service",
  next: URL_STEP,
}

const VERDICTS: Record<DocsFault, { says: string; next: string }> = {
  key_refused: {
    says: "The documentation service rejected {key}",
    next: "Keys expire, often after 90 days. Create a new admin key on the API keys page of the dashboard, set it as {key} and restart the bot.",
  },
  forbidden: {
    says: "The documentation service doesn't let {key} read {project}",
    next: "On the API keys page, check that it's an admin key of this project, that the project ID matches, and that no IP list blocks this machine.",
  },
  not_found: {
    says: "The documentation service doesn't know project {project}",
    next: `Copy the project ID (DOCS_PROJECT_ID) from the API keys page of the dashboard. ${URL_STEP}`,
  },
  rate_limited: {
    says: "The hour's analytics requests are used up, so {key} wasn't checked",
    next: "Run the doctor again later in the hour.",
  },
  unreachable: SILENT,
  interrupted: SILENT,
  broken_body: NOT_THE_SERVICE,
  bad_request: NOT_THE_SERVICE,
  not_configured: NOT_THE_SERVICE,
  server_error: {
    says: "The documentation service reported an internal error",
    next: "Run the doctor again later. If it keeps happening, contact the service's support.",
  },
}

function judgePause({ project, pause }: ProjectFacts): Finding[] {
  if (!pause) return []
  if (pause.until === undefined)
    return [
      warning(
        "queue",
        `The queue of ${project} has been paused since ${when(pause.since)} (${pause.reason})`,
        "Set another key and restart the bot. If this key works again, press Resume on the bot's Home tab (for ADMIN_USERS).",
      ),
    ]
  return [
    warning(
      "queue",
      `The queue of ${project} is paused until ${when(pause.until)} (${pause.reason})`,
      "It resumes by itself.",
    ),
  ]
}

/** One job may have been deleted; several in a row, and never one that was found, are another matter. */
function judgeJobPath({ project, missing }: ProjectFacts): Finding[] {
  if (!missing) return []
  const says = `The service hasn't found any job of ${project} since ${when(missing.since)} (404)`
  const next =
    "Check DOCS_JOB_PATH: it must be the path of the service's get-agent-job operation. Correct it and restart the bot."
  return [fault("project", says, next)]
}

function when(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`
}
