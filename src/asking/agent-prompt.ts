import type { Context } from "../jobs/context.ts"
import type { Job } from "../jobs/job.ts"
import type { JobStore } from "../jobs/job-store.ts"
import type { Prompt, Prompted, Prompts } from "../jobs/request-record.ts"
import type { Ask } from "../jobs/round-record.ts"
import { currentAsks, quotedAsks, workedOn } from "../jobs/rounds.ts"
import {
  asAsked,
  joined,
  linesOf,
  nameInLine,
  ours,
  paragraphs,
  type Quoted,
  quoteLines,
} from "../lib/mark-quotes.ts"
import { bytesInJson, fitting, linesWithin, truncateBytes } from "../lib/truncate.ts"
import { MAX_SPEAKER } from "./quoted-messages-and-files.ts"

/** Maximum code points quoted beside the first request's words: as much as two quoted threads. */
export const MAX_EARLIER = 24_000
/** Maximum jobs to read back in one thread; each continues the one before. */
const MAX_CHAIN = 30

/** Maximum bytes of a prompt in JSON; the service may refuse longer ones. */
const MAX_PROMPT_BYTES = 195_000
/** Bytes kept for the link to the pull request and for labels. */
const LINK_BYTES = 4_000

/** Reads what a new job quotes of earlier work, and writes its prompt. */
export async function creationPrompt(
  context: Context,
  job: Job,
  prompts: Prompts,
): Promise<string> {
  const earlier = await readEarlier(context.jobs, job)
  const quoted = await context.jobs.promptsOf(quotedAsks(job))
  const prompt = composeCreation(job, { ...quoted, ...prompts }, earlier)
  return withOrigin(prompt, originOf(context, job, prompts))
}

function originOf({ settings, slack }: Context, job: Job, prompts: Prompts): string | undefined {
  const [first] = currentAsks(job)
  return originLine(settings.origin, {
    channel: job.channel,
    permalink: job.card && slack.state.permalink(job.channel, job.card, job.thread),
    speaker: prompts[first?.id ?? ""]?.speaker,
  })
}

/**
 * Writes a new job's prompt: the text of the requests, their quoted context, and earlier work. Agents
 * make a title of the first line, so it is in the words of who asked. Pure.
 */
export function composeCreation(job: Job, prompts: Prompts, earlier: readonly Prompted[]): Quoted {
  const before = [
    ...earlier.flatMap((one) => promptsOf(workedOn(one.job), one.prompts)),
    ...promptsOf(quotedAsks(job), prompts),
  ]
  const prLink = job.prLink ?? earlier.findLast((one) => one.job.prLink)?.job.prLink
  const current = composeMessage(job, prompts)
  const room = MAX_PROMPT_BYTES - bytesInJson(current)
  const quoted =
    before.length > 0 || earlier.length > 0
      ? quoteEarlier(before, prLink, Math.max(0, room))
      : ours``
  return paragraphs(current, quoted)
}

/** Writes the current requests; the service's job knows its earlier work itself. Pure. */
export function composeMessage(job: Job, prompts: Prompts): Quoted {
  const current = withinBytes(promptsOf(currentAsks(job), prompts), MAX_PROMPT_BYTES - LINK_BYTES)
  if (current.length === 1) return joined(current.map(whole), "")
  return paragraphs(...current.map(labelled), ...current.map(contextOf))
}

/** Labels a request with who made it; the first one's label follows its words. */
function labelled({ speaker = "Somebody", words }: Prompt, n: number): Quoted {
  const name = nameInLine(speaker, MAX_SPEAKER)
  const asked = asAsked(words)
  return n === 0 ? ours`${asked}\n(asked by ${name})` : ours`${name} also asked:\n${asked}`
}

/** Cuts prompts to this many bytes together: contexts before words, older ones before newer ones. */
function withinBytes(prompts: readonly Prompt[], max: number): Prompt[] {
  const ofWords = prompts.reduce((sum, { words }) => sum + bytesInJson(words), 0)
  if (ofWords <= max) return withContexts(prompts, max - ofWords, cutContext)
  // Half of an equal share, because escapes may double a text.
  const share = Math.floor(max / prompts.length / 2)
  const cut = prompts.map((prompt) => ({ ...prompt, words: truncateBytes(prompt.words, share) }))
  return withContexts(cut, 0, cutContext)
}

/** Cuts a context to the lines that fit, and says so. Returns the bytes that they take. */
function cutContext(context: Quoted, left: number): { context: Quoted; size: number } {
  const kept = linesWithin(context, left)
  const size = bytesInJson(kept)
  if (kept === context) return { context, size }
  return { context: kept ? ours`${kept}\n${LEFT_OUT}` : LEFT_OUT, size }
}

/** Cuts the contexts of prompts, newest prompts first. @param cut cuts to what is left of `room` */
function withContexts(
  prompts: readonly Prompt[],
  room: number,
  cut: (context: Quoted, left: number) => { context: Quoted; size: number },
): Prompt[] {
  const done: Prompt[] = []
  let left = room
  for (const { words, speaker, ...quoted } of prompts.toReversed()) {
    const { context, size } = cut(contextOf(quoted), left)
    done.unshift({ words, speaker, context })
    left -= size
  }
  return done
}

const LEFT_OUT = ours`Some quoted text was left out because it is too long.`

/** Returns these requests' prompts, each part of a thread quoted once. */
function promptsOf(asks: readonly Ask[], prompts: Prompts): Prompt[] {
  return asks.flatMap((ask, n) => {
    const prompt = prompts[ask.id]
    if (!prompt) return []
    const { thread: _, ...bare } = prompt
    const later = asks.slice(n + 1)
    return later.some(({ id }) => includesThread(prompts[id], prompt)) ? [bare] : [prompt]
  })
}

/** Returns whether one request quotes the thread from as early and up to as late as another. */
function includesThread(one: Prompt | undefined, { threadRange: of }: Prompt): boolean {
  const range = one?.thread === undefined ? undefined : one.threadRange
  if (!range || !of || range.channel !== of.channel || range.thread !== of.thread) return false
  return (range.from ?? "") <= (of.from ?? "") && range.until >= of.until
}

type QuotedContext = { [Field in "thread" | "context" | "attached"]?: Prompt[Field] | undefined }

function contextOf({ thread, context, attached }: QuotedContext): Quoted {
  return paragraphs(thread, context, attached)
}

function whole(prompt: Prompt): Quoted {
  return paragraphs(asAsked(prompt.words), contextOf(prompt))
}

/** Reads the jobs that a job continues, oldest first, with the words of their requests. */
export async function readEarlier(
  jobs: Pick<JobStore, "find" | "promptsOf">,
  { continuesJob }: Job,
) {
  const found: Prompted[] = []
  for (let id = continuesJob; id !== undefined && found.length < MAX_CHAIN; ) {
    const job: Job | undefined = (await jobs.find(id))?.job
    if (job) found.unshift({ job, prompts: await jobs.promptsOf(workedOn(job)) })
    id = job?.continuesJob
  }
  return found
}

/** Quotes earlier requests: the first one's words, then the newest requests that fit. */
function quoteEarlier(
  prompts: readonly Prompt[],
  prLink: string | undefined,
  room: number,
): Quoted {
  const [first, ...later] = fitted(prompts)
  const dropped = Math.max(0, prompts.length - 1 - later.length)
  const left = dropped > 0 ? ours` The ${dropped} oldest were left out.` : ours``
  const parts = [
    first
      ? ours`This continues earlier work. The first request was:\n${quoteLines(whole(first))}`
      : ours`This continues earlier work.`,
    ...(later.length > 0 ? [ours`It was followed up, oldest first:${left}`] : []),
    ...later.map((prompt) => quoteLines(whole(prompt))),
  ]
  const link =
    prLink && URL.canParse(prLink)
      ? ours`Its pull request: ${nameInLine(new URL(prLink).href, LINK_BYTES)}`
      : ours``
  const quoted = linesWithin(paragraphs(...parts), Math.max(0, room - bytesInJson(link)))
  return joined([quoted, link].filter(Boolean), "\n")
}

/** Keeps requests in preference to their contexts, and newer ones in preference to older ones. */
function fitted([first, ...later]: readonly Prompt[]): Prompt[] {
  if (!first) return []
  const newestWords = later.map(({ words }) => words).toReversed()
  const fit = fitting(newestWords, MAX_EARLIER)
  const room = MAX_EARLIER - Array.from(fit.join("\n")).length
  const kept = [first, ...later.slice(later.length - fit.length)]
  return withContexts(kept, room, (context, left) => {
    const newestLines = fitting(linesOf(context).toReversed(), left)
    const quoted = joined(newestLines.toReversed(), "\n")
    return { context: quoted, size: Array.from(quoted).length }
  })
}

/** Setting `PR_ORIGIN`: facts of a request that its pull request names. */
type OriginSetting = "link" | "name" | "off"

/** Place and person of a request. */
interface Origin {
  channel: string
  /** Address of the request's thread. */
  permalink: string | undefined
  speaker: string | undefined
}

/**
 * Writes the line that asks the agent to state in the pull request where it was asked for, so that
 * reviewers find the conversation. Undefined where it would help nobody: a direct message's link
 * opens only for the two people in it.
 */
export function originLine(setting: OriginSetting, origin: Origin): string | undefined {
  const { channel, permalink, speaker } = origin
  if (setting === "off" || permalink === undefined || channel.startsWith("D")) return undefined
  const name = speaker && nameInLine(speaker, MAX_SPEAKER)
  const by = setting === "name" && name ? ` by ${name}` : ""
  return `In the pull request's description, add this line: Requested in Slack${by}: ${permalink}`
}

/** Puts the line at the end, after the person's unchanged words. */
function withOrigin(prompt: string, line: string | undefined): string {
  return line === undefined ? prompt : `${prompt}\n\n${line}`
}
