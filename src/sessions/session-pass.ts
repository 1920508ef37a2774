import { againAfter, SLACK_TRIES } from "../config/timing.ts"
import { orSlackError, SlackError } from "../errors/slack-error.ts"
import type { JobStore, Prompt } from "../jobs/ports.ts"
import type { Outbound, SessionDetails } from "../ports/outbound.ts"
import { UNTIL_WOKEN } from "../runtime/alarm.ts"
import { raceAbort } from "../runtime/race-abort.ts"
import { stopwatch } from "../runtime/stopwatch.ts"
import type { SessionEntry, SessionResult, Sessions } from "./ports.ts"
import { isNotOffered } from "./refusal.ts"

interface SessionDeps {
  sessions: Sessions
  jobs: Pick<JobStore, "get" | "prompt">
  outbound: Pick<Outbound, "setSession">
  /** What the session is called, at most 200 characters. */
  title: (prompt: Prompt) => string
  /** A call is begun only within this time after the claim, ms: an older one must not land after a newer. */
  beginWithinMs: number
  /** Aborted when the process cannot wait for Slack any longer. */
  forceStop: AbortSignal
  /** Does an agent not sit in this channel, though it may post there? */
  isOutside: (channel: string) => Promise<boolean>
  /** Slack does not offer this, and is left alone for a while. */
  onOff: (code: string) => void
}

/**
 * One pass: Slack is told what is true of one thread. Returns how long to rest, ms. One after the
 * other, so that no call is in flight when Slack refuses the whole feature, and apart from cards
 * and closing replies, which never wait for this. A repeated call does no harm, so what is in doubt
 * is sent again.
 */
export async function sessionPass(deps: SessionDeps): Promise<number> {
  const { sessions } = deps
  const sinceClaim = stopwatch()
  const entry = await sessions.claim()
  if (!entry) return UNTIL_WOKEN
  const waitMs = await sessions.rateLimit()
  if (waitMs > 0) {
    await sessions.settle(entry, { againMs: waitMs })
    return waitMs
  }
  const details = entry.shown === undefined ? await detailsOf(deps, entry) : {}
  // What is on its way may yet arrive: the next process waits until it has.
  const left: SessionResult = { againMs: againAfter(0) }
  const result: SessionResult =
    sinceClaim() < deps.beginWithinMs
      ? await raceAbort(deps.forceStop, tell(deps, entry, details), left)
      : { againMs: 0 }
  await sessions.settle(entry, result)
  return 0
}

/** "Only used when creating a new session"; one that Slack refuses for them is created without. */
async function detailsOf(
  { jobs, title }: SessionDeps,
  { first, failures }: SessionEntry,
): Promise<SessionDetails> {
  const job = first && failures === 0 ? await jobs.get(first) : undefined
  if (!job) return {}
  const prompt = await jobs.prompt(job.id)
  return { initiator: job.user, ...(prompt ? { title: title(prompt) } : {}) }
}

async function tell(
  deps: SessionDeps,
  entry: SessionEntry,
  details: SessionDetails,
): Promise<SessionResult> {
  const { channel, root, wanted } = entry
  const said = await deps.outbound
    .setSession({ channel, thread: root }, wanted, details)
    .catch(orSlackError)
  if (!(said instanceof SlackError)) return { shown: wanted, taken: said }
  const error = said
  if (isNotOffered(error.code) && !(await isOfChannel(deps, channel, error.code))) {
    if (await deps.sessions.refused(error.code)) deps.onOff(error.code)
    return { againMs: 0 }
  }
  return afterFailure(entry, details, error)
}

/** "not_authorized: The caller is not a member of the specified channel" has two meanings. */
async function isOfChannel({ isOutside }: SessionDeps, channel: string, code: string) {
  return code === "not_authorized" && (await isOutside(channel))
}

/** What a call that Slack did not take means for the next. Pure. */
function afterFailure(
  { wanted, failures }: Pick<SessionEntry, "wanted" | "failures">,
  details: SessionDetails,
  { verdict, retryAfterMs }: Pick<SlackError, "verdict" | "retryAfterMs">,
): SessionResult {
  if (verdict === "later") return { againMs: retryAfterMs ?? SLACK_TRIES.laterMs }
  const given = { shown: wanted, taken: undefined }
  if (verdict === "give_up")
    return details.initiator === undefined ? given : { againMs: 0, failures: failures + 1 }
  if (failures + 1 >= SLACK_TRIES.mostFailures) return given
  return { againMs: againAfter(failures), failures: failures + 1 }
}
