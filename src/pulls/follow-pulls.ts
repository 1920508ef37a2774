import type { JobsDeps } from "../jobs/deps.ts"
import type { Job, Pull } from "../jobs/job.ts"
import type { Again, Held } from "../jobs/job-store.ts"
import { pullSeen } from "../jobs/pull-transitions.ts"
import { gitHubRefused, operatorLine } from "../messages/admin-notices.ts"
import { tellOnce } from "../operating/tell-admins.ts"
import type { Outbound } from "../slack/web-outbound.ts"
import type { GitHubPulls } from "./github-client.ts"
import { endRefusals, keepPause, noteRefusal, takeRequests } from "./github-limit.ts"
import { afterPoll } from "./look-schedule.ts"
import type { PullRef } from "./pull-state.ts"

const BATCH = 8
/** Number of requests that one lease allows for; a poll without redirects makes at most seven. */
const MAX_REQUESTS = 9

export interface PullDeps extends Pick<JobsDeps, "store" | "jobs" | "timing" | "rules"> {
  github: Pick<GitHubPulls, "read">
  tokenHash: string
  outbound: Pick<Outbound, "direct">
  log: { error(facts: object, says: string): void }
}

export function pullPass(deps: PullDeps): Promise<number> {
  const { leaseMs, gitHubTimeoutMs } = deps.timing
  const limits = { limit: BATCH, leaseMs: leaseMs + MAX_REQUESTS * gitHubTimeoutMs }
  return deps.jobs.eachDue("pulls", limits, (held) => pollPull(deps, held))
}

async function pollPull(deps: PullDeps, held: Held): Promise<Again> {
  const { store, jobs, github, tokenHash } = deps
  const { job, now } = held
  const { pull } = job
  if (!pull) return "done"
  // Counts the files only once, although each poll after a push reads them, and one page of reviews.
  const waitMs = await takeRequests(store, tokenHash, pull.size ? 2 : 3)
  if (waitMs > 0) return waitMs
  const answer = await github.read(pull, pull.size)
  await keepPause(store, tokenHash, answer)
  if (answer.kind === "refused") await tellAdmins(deps, answer.what, pull)
  if (answer.kind === "facts") await endRefusals(store, tokenHash, repositoryOf(pull))
  let againMs: Again = "done"
  const decide = ({ job: is }: { job: Job }) => {
    // A follow-up may have led to another pull request meanwhile.
    if (!is.pull || !isSame(is.pull, pull)) return undefined
    const seen = afterPoll({ ...is, pull: is.pull }, answer, now, deps.timing.pulls)
    againMs = seen.againMs
    return seen.isChanged ? pullSeen(seen.pull) : undefined
  }
  await jobs.change(job.id, decide, held)
  return againMs
}

/** Returns a key of the repository, in whose name case does not matter. */
function repositoryOf({ owner, repo }: PullRef): string {
  return `${owner}/${repo}`.toLowerCase()
}

function isSame(a: PullRef, b: PullRef): boolean {
  return a.owner === b.owner && a.repo === b.repo && a.number === b.number
}

async function tellAdmins(deps: PullDeps, what: "token" | "repository", pull: Pull): Promise<void> {
  const message = gitHubRefused(what, pull)
  const line = operatorLine(message)
  const of = what === "token" ? what : repositoryOf(pull)
  await noteRefusal(deps.store, deps.tokenHash, of, line)
  await tellOnce(deps, `told:github:${deps.tokenHash}:${of}`, {
    log: () => deps.log.error({ repository: `${pull.owner}/${pull.repo}` }, line),
    message: () => message,
  })
}
