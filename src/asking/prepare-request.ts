import type { Context, SlackSide } from "../jobs/context.ts"
import { awaitsPeople, type Job, MANY_WAIT, oncePerPull } from "../jobs/job.ts"
import { jobKeys } from "../jobs/job-keys.ts"
import type { Held } from "../jobs/job-store.ts"
import { prepared } from "../jobs/prepare-round.ts"
import { bytesOfPrompt, type Prompt, type Prompts } from "../jobs/request-record.ts"
import type { Ask } from "../jobs/round-record.ts"
import { allAsks, bytesOf, MAX_ROUND_BYTES, openAsks, sentWith } from "../jobs/rounds.ts"
import { nameInLine, paragraphs } from "../lib/mark-quotes.ts"
import type { ReadFile } from "../slack/accepted-text-files.ts"
import { namesOf } from "../slack/profiles.ts"
import type { OutsidersAmong } from "../slack/read-thread.ts"
import { SlackError } from "../slack/slack-error.ts"
import { checkAccess } from "./access-rules.ts"
import {
  MAX_SPEAKER,
  quotePassedOn,
  quoteThread,
  readAttached,
} from "./quoted-messages-and-files.ts"
import { type RefusedAsk, tellRefused, tellUnread } from "./tell-requesters.ts"

/** Maximum age in ms up to which a request waits for a thread that Slack rate-limits. */
const THREAD_WITHIN_MS = 60_000

/**
 * Looks up the requesters, adds the thread and files that each request refers to, and tells those
 * who may not ask. The worker does this, so that the listener can acknowledge the request at once.
 * @throws SlackError `later` if the call should be retried
 */
export async function prepareAsks(context: Context, held: Held): Promise<number> {
  const { job } = held
  const unprepared = openAsks(job).filter(({ isPrepared }) => !isPrepared)
  const found = await readAsks(context, held, unprepared, await context.jobs.promptsOf(unprepared))
  // Tells people before it stores the refusal: after a crash, a double message is better than none.
  for (const one of found.refused) {
    const untold = await tellRefused(context, job, one)
    if (untold) throw untold
  }
  // Before the card is there, people are told once it is posted.
  if (job.card !== undefined) await tellUnread(context, { job, prompts: found.prompts })
  // Only a new card says it, once.
  const manyWait = (job.card === undefined && (await doManyWait(context))) || undefined
  const refused = found.refused.map(({ ask }) => ask.id)
  await context.jobs.change(job.id, ({ job: latest, now }) => {
    // If a person was forgotten during the reading, their text must not come back. A request that
    // was edited meanwhile is prepared once more, with its new text.
    const isKept = ({ id, edited }: Ask) =>
      allAsks(latest).some((ask) => ask.id === id && ask.edited === edited && !ask.isForgotten)
    const allowed = found.allowed.filter(isKept)
    const kept = allowed.flatMap(({ id }) => (found.prompts[id] ? [[id, found.prompts[id]]] : []))
    const facts = { allowed, refused, manyWait, now }
    return { ...prepared(latest, facts), prompts: Object.fromEntries(kept) }
  })
  return 0
}

/** Takes out the requests that can't be prepared or begun, and tells who made them. */
export async function giveUpStarting(context: Context, { job }: Held): Promise<number> {
  const unprepared = openAsks(job).filter(({ isPrepared }) => !isPrepared)
  const asks = job.state === "ended" ? job.waiting : unprepared
  for (const ask of asks) await tellRefused(context, job, { ask, refusal: "broken" })
  const refused = asks.map(({ id }) => id)
  await context.jobs.change(job.id, ({ job: latest, now }) =>
    prepared(latest, { allowed: [], refused, ending: "unreadable", now }),
  )
  return 0
}

async function readAsks(
  context: Context,
  { job, now }: Held,
  asks: readonly Ask[],
  prompts: Prompts,
) {
  const allowed: Ask[] = []
  const refused: RefusedAsk[] = []
  const read: Record<string, Prompt> = {}
  // If Slack refuses the lookup for good, the bot turns the person away.
  const unclear = orElse({ refusal: "unclear" as const }, ["give_up"])
  for (const ask of asks) {
    const entry = await checkAccess(context, { user: ask.user, channel: job.channel }).catch(
      unclear,
    )
    if ("refusal" in entry) {
      refused.push({ ask, refusal: entry.refusal })
      continue
    }
    const prompt = prompts[ask.id]
    if (!prompt) {
      allowed.push(ask)
      continue
    }
    const room = roomFor(job, ask, allowed)
    const found = await readWhole(prompt, context.slack, { ageMs: now - ask.at, room })
    read[ask.id] = { ...found.prompt, speaker: entry.profile.name }
    allowed.push({ ...ask, ...bytesOfPrompt(found.prompt), note: found.note })
  }
  return { allowed, refused, prompts: read }
}

/** Returns the bytes that the other requests of its round leave for the files of this one. */
function roomFor(job: Job, ask: Ask, read: readonly Ask[]): number {
  const latest = sentWith(job, ask.id).map(
    ({ id, ...other }) => read.find((one) => one.id === id) ?? other,
  )
  return MAX_ROUND_BYTES - bytesOf(latest)
}

async function readWhole(
  prompt: Prompt,
  slack: SlackSide,
  { ageMs, room }: { ageMs: number; room: number },
) {
  const { readThread, readFile, outsidersAmong, profileOf } = slack
  const { quotes = [], files = [], names: ids = [], ...rest } = prompt
  const { threadRange } = rest
  const isOut = await outsidersAmong([...quotes, ...files])
  const names = await namesOf(ids, profileOf)
  const words = withNames(rest.words, names)
  const passedOn = quotes.flatMap((one) => (isOut(one) ? [] : withNames(one.text, names)))
  const asked = passedOn.length > 0 ? quotePassedOn(passedOn) : undefined
  const unread = (error: unknown) => {
    const restMs = error instanceof SlackError ? (error.retryAfterMs ?? 0) : 0
    const isTooLong = ageMs + restMs > THREAD_WITHIN_MS
    return orElse(undefined, ["give_up", "unknown", ...(isTooLong ? ["ratelimited"] : [])])(error)
  }
  const found = threadRange && (await readThread(threadRange).catch(unread))
  const shown = files.filter((file) => !isOut(file))
  const readOwn = readFileOf(outsidersAmong, readFile)
  const attached = shown.length > 0 ? await readAttached(shown, readOwn, room) : undefined
  const thread = found && quoteThread(found.messages, found.isWhole)
  const context = paragraphs(rest.context, asked) || undefined
  const isUnread = threadRange !== undefined && !found
  const hasOutsiders = found?.hasOutsiders || [...quotes, ...files].some(isOut)
  return {
    prompt: {
      ...rest,
      words,
      typed: rest.typed ?? (words === rest.words ? undefined : rest.words),
      thread,
      context,
      unread: attached?.unread,
      attached: attached?.quoted,
    },
    note: isUnread ? ("unread" as const) : hasOutsiders ? ("outsiders" as const) : undefined,
  }
}

/** Makes the reader of files that refuses one of which Slack says only now that an outsider's it is. */
function readFileOf(outsidersAmong: OutsidersAmong, readFile: ReadFile): ReadFile {
  return async (file, withinMs) => {
    const read = await readFile(file, withinMs)
    if (file.by !== undefined || "unread" in read) return read
    const author = { by: read.file.by ?? "" }
    const isOut = await outsidersAmong([author])
    return isOut(author) ? { file: { id: file.id }, unread: "not_shared" } : read
  }
}

/** Returns `instead` if Slack's error has one of these verdicts or codes; rethrows all others. */
function orElse<T>(instead: T, refusals: readonly string[]) {
  return (error: unknown): T => {
    const said = error instanceof SlackError ? [error.verdict, error.code] : []
    if (said.some((one) => refusals.includes(one))) return instead
    throw error
  }
}

/** Replaces mentioned user ids with names, because an agent sees only the id. Unknown ids stay. */
function withNames(text: string, names: ReadonlyMap<string, string>): string {
  return text.replace(/@([UW][A-Z0-9]+)/g, (whole, id) => {
    const name = names.get(id)
    return name === undefined ? whole : `@${nameInLine(name, MAX_SPEAKER)}`
  })
}

/** Maximum number of pull requests to read, so that a card costs little however many are open. */
const MAX_READ = 50

/** Returns whether many of the bot's pull requests wait for people, as far as GitHub was asked. */
async function doManyWait({ store, jobs }: Pick<Context, "store" | "jobs">) {
  const ids = await store.redis.zrange(jobKeys.schedule("watch"), "0", String(MAX_READ - 1))
  const found = ids.length < MANY_WAIT ? [] : await jobs.findAll(ids)
  const waiting = found.filter(({ job }) => job.pull && awaitsPeople(job.pull))
  return oncePerPull(waiting).length >= MANY_WAIT
}
