import { z } from "zod"
import { againAfter, MAX_FAILURES } from "../config/timing.ts"
import { refusalOf } from "../errors/slack-error.ts"
import { FOLLOWED_MS } from "../jobs/change.ts"
import type { JobsDeps } from "../jobs/deps.ts"
import { threadOf } from "../jobs/job.ts"
import type { Again, JobStore } from "../jobs/job-store.ts"
import { firstWords } from "../jobs/prompt/prompt.ts"
import { sessionTitle } from "../messages/help.ts"
import { defined } from "../runtime/defined.ts"
import { raceAbort } from "../runtime/time.ts"
import { NOT_OFFERED } from "../slack/verdict.ts"
import type { Outbound } from "../slack/web-outbound.ts"
import { key } from "../store/keys.ts"
import { rateLimit } from "../store/limits.ts"
import type { Store } from "../store/script.ts"
import { parseJson } from "../text/json.ts"
import type { SecretFilter } from "../text/secret-filter.ts"

/**
 * Key that tells all processes that Slack does not offer sessions to this app. That depends on the
 * app's declaration and the workspace's plan, and Slack reveals it only when the bot uses sessions.
 */
const OFF = key("surface", "sessions")

/** Delay in ms before the bot tries sessions again after Slack did not offer them to this app. */
const OFF_MS = 24 * 3_600_000
/** Interval in ms for checking a session that Slack shows as working: its end may be missed. */
const LOOK_AGAIN_MS = 10 * 60_000
/** Interval in ms for sending a session's status again: Slack resets it after an hour. */
const TELL_AGAIN_MS = 45 * 60_000

type Thread = { channel: string; thread: string }

const toldShape = z.object({
  /** Status that the bot last sent to Slack; `unsure` if Slack may show another one. */
  shown: z.enum(["processing", "active", "unsure"]),
  at: z.number(),
  failures: z.number(),
})
type Told = z.infer<typeof toldShape>

export interface SessionDeps extends Pick<JobsDeps, "store" | "jobs" | "timing"> {
  outbound: Pick<Outbound, "setSession">
  secrets: SecretFilter
  /** Returns whether Slack's answer proves that the bot is a member of the channel. */
  isInside: (channel: string) => Promise<boolean>
  /** Signal that aborts when the process must exit without waiting for Slack. */
  forceStop: AbortSignal
  onSurfaceOff: (code: string) => void
}

/**
 * Sends Slack the session status of one job's thread at a time, so that few calls are in flight if
 * Slack refuses the whole feature. Runs apart from cards and closing replies, so that they never
 * wait for it. Repeats a call with an unknown outcome, because that does no harm.
 */
export function sessionPass(deps: SessionDeps): Promise<number> {
  const { jobs, timing, forceStop } = deps
  const limits = { limit: 1, leaseMs: timing.leaseMs }
  return jobs.eachDue("sessions", limits, async ({ job, now }) => {
    const thread = threadOf(job)
    // A session begins with the card; before that, the request may still be refused or cancelled.
    if (!thread || !job.card) return "done"
    // The interrupted call may still arrive, so the next process waits until it has.
    const showing = show(deps, { channel: job.channel, thread }, now)
    return raceAbort(forceStop, showing, againAfter(timing.tries, 0))
  })
}

async function show(deps: SessionDeps, place: Thread, now: number): Promise<Again> {
  const { store, outbound, timing } = deps
  const found = await deps.jobs.inThread(place.channel, place.thread)
  const isAtWork = found.some(({ job }) => job.state !== "ended")
  const wanted = isAtWork ? "processing" : "active"
  const told = await readTold(store, place)
  // Checks a processing thread again, in case the bot missed the end of the work.
  const againMs = isAtWork ? LOOK_AGAIN_MS : "done"
  // Slack's docs: "Sessions in the processing status time out after one hour and automatically
  // transition to active."
  const isFresh = !isAtWork || now - (told?.at ?? 0) < TELL_AGAIN_MS
  if (told?.shown === wanted && isFresh) return againMs
  const offMs = await store.redis.pttl(OFF)
  // Slack may still show the earlier status, so the bot corrects it after the pause.
  if (offMs > 0) return told && told.shown !== "active" ? offMs : "done"
  const waitMs = await rateLimit(store, {}, {}, timing.rates.session, [key("rate", "session")])
  if (waitMs > 0) return waitMs
  const failures = told?.failures ?? 0
  // Stores `unsure` before the call, so that after a crash the next process sends the status again.
  await writeTold(store, place, { shown: "unsure", at: now, failures })
  // Title and initiator are "Only used when creating a new session"; if Slack refuses the session
  // because of them, the next try leaves them out.
  const first = failures === 0 ? found.at(-1) : undefined
  const words = first && firstWords(first)
  const title = words && sessionTitle(deps.secrets.clean(words))
  const details = defined({ initiator: first?.job.user, title })
  const error = await refusalOf(outbound.setSession(place, wanted, details))
  if (error && (await isNotOffered(error.code, () => deps.isInside(place.channel)))) {
    const isNews = await store.redis.set(OFF, error.code, "PX", OFF_MS, "NX")
    if (isNews === "OK") deps.onSurfaceOff(error.code)
    if (!told) await store.redis.del(keyOf(place))
    return 0
  }
  if (error?.verdict === "later") return error.retryAfterMs ?? timing.tries.unreachableMs
  const isUnsure = error?.verdict === "unknown" && failures + 1 < MAX_FAILURES
  const mayBeDetails = error?.verdict === "give_up" && first !== undefined
  if (isUnsure || mayBeDetails) {
    await writeTold(store, place, { shown: "unsure", at: now, failures: failures + 1 })
    return isUnsure ? againAfter(timing.tries, failures) : 0
  }
  await writeTold(store, place, { shown: wanted, at: now, failures: 0 })
  return againMs
}

/**
 * Returns whether this code proves that Slack does not offer sessions to the app at all. "The
 * caller is not a member of the specified channel" (not_authorized) proves it only for a member.
 */
async function isNotOffered(code: string, isInside: () => Promise<boolean>) {
  if (code === "not_authorized") return isInside()
  if (NOT_OFFERED.has(code)) return true
  // "This type of conversation cannot be used with this method" concerns only one conversation.
  return code.startsWith("method_not_supported") && !code.endsWith("_for_channel_type")
}

/** Makes the next pass resend the thread's status, even if it hasn't changed. */
export async function showAgain(
  store: Store,
  jobs: Pick<JobStore, "inThread" | "change">,
  place: Thread,
): Promise<void> {
  const [latest] = await jobs.inThread(place.channel, place.thread)
  if (!latest) return
  const told = await readTold(store, place)
  await writeTold(store, place, { at: 0, failures: 0, ...told, shown: "unsure" })
  await jobs.change(latest.job.id, () => ({ due: { sessions: 0 } }))
}

const keyOf = ({ channel, thread }: Thread) => key("session", channel, thread)

async function readTold({ redis }: Store, place: Thread): Promise<Told | undefined> {
  return toldShape.safeParse(parseJson((await redis.get(keyOf(place))) ?? "")).data
}

async function writeTold({ redis }: Store, place: Thread, told: Told): Promise<void> {
  await redis.set(keyOf(place), JSON.stringify(told), "PX", FOLLOWED_MS)
}
