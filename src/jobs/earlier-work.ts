import { quoteLines } from "../text/lines.ts"
import type { Job } from "./job.ts"
import type { JobStore, Prompt } from "./ports.ts"

/** Of what was asked besides the first request's own words: as much as two quoted talks. Code points. */
export const EARLIER_MAX = 24_000
/** Follow-ups of one thread that are looked up at most. */
const LONGEST_CHAIN = 30

/** One request as it was asked; what travelled with it as context, already quoted. */
type EarlierRequest = Pick<Prompt, "words" | "context">

/** What was asked so far in a job's thread, oldest first, and the pull request that came of it. */
interface EarlierWork {
  requests: readonly EarlierRequest[]
  prLink?: string | undefined
}

/** Never sent to the service, so no part of what was asked. */
const TAKEN_BACK: ReadonlySet<Job["ending"]> = new Set(["cancelled", "no_card"])

/** Reads what a thread has asked so far, back from its latest job. */
export async function readEarlierWork(
  jobs: Pick<JobStore, "get" | "prompt">,
  latest: Job,
): Promise<EarlierWork> {
  const requests: EarlierRequest[] = []
  const seen = new Set<string>()
  let prLink: string | undefined
  for (let job: Job | undefined = latest; job && seen.size < LONGEST_CHAIN; ) {
    seen.add(job.id)
    prLink ??= job.prLink
    const prompt: Prompt | undefined = TAKEN_BACK.has(job.ending)
      ? undefined
      : await jobs.prompt(job.id)
    if (prompt) requests.unshift(prompt)
    const before: string | undefined = job.previous ?? job.first
    const isNew: boolean = before !== undefined && !seen.has(before)
    const found: Job | undefined = isNew && before ? await jobs.get(before) : undefined
    // What was asked between may be forgotten by now; the first request is looked up all the same.
    job = found ?? (job.first && !seen.has(job.first) ? await jobs.get(job.first) : undefined)
  }
  return { requests, prLink }
}

/**
 * What a new job is told about the work before it: the first request whole, as it was sent, then what
 * followed it and what was quoted with each, the newest kept where it is too much.
 */
export function quoteEarlierWork({ requests, prLink }: EarlierWork): string {
  const [first, ...later] = fitted(requests)
  const dropped = requests.length - 1 - later.length
  const parts = [
    first
      ? `This continues earlier work. The first request was:\n${quoteRequest(first)}`
      : "This continues earlier work.",
    ...(later.length > 0 ? [`It was followed up, oldest first:${leftOut(dropped)}`] : []),
    ...later.map(quoteRequest),
  ]
  return [parts.join("\n\n"), prLink && `Its pull request: ${prLink}`].filter(Boolean).join("\n")
}

function leftOut(count: number): string {
  return count > 0 ? ` The ${count} oldest were left out.` : ""
}

function quoteRequest({ context, words }: EarlierRequest): string {
  return quoteLines([context, words].filter(Boolean).join("\n\n"))
}

/** Words before contexts, and of both the newest first: what does not fit any more is left out. */
function fitted([first, ...later]: readonly EarlierRequest[]): EarlierRequest[] {
  if (!first) return []
  let room = EARLIER_MAX
  const kept: EarlierRequest[] = []
  for (const request of later.toReversed()) {
    room -= Array.from(request.words).length
    if (room < 0) break
    kept.unshift(request)
  }
  const contexts = [first, ...kept].toReversed().map(({ words, context }) => {
    const lines = context ? lastLines(context, room) : ""
    room -= Array.from(lines).length
    return lines ? { words, context: lines } : { words }
  })
  return contexts.toReversed()
}

/** As many whole lines from the end as fit. */
function lastLines(text: string, room: number): string {
  const lines = text.split("\n")
  let left = room
  const from = lines.findLastIndex((line) => {
    left -= Array.from(line).length + 1
    return left < 0
  })
  return lines.slice(from + 1).join("\n")
}
