import { quoteLines } from "../../text/plain-text.ts"
import { currentAsks, type Job } from "../job.ts"
import type { JobStore } from "../job-store.ts"
import type { Prompt, Words } from "./prompt.ts"

/** Maximum code points quoted beside the first request's words: as much as two quoted threads. */
export const MAX_EARLIER = 24_000
/** Maximum jobs to read back in one thread; each continues the one before. */
const MAX_CHAIN = 30

/** Writes a new job's prompt: earlier work, quoted context, and the text of the requests. Pure. */
export function composeCreation(
  job: Job,
  words: Words,
  earlier: readonly { job: Job; words: Words }[],
): string {
  const before = [
    ...earlier.flatMap((one) => one.job.asks.flatMap((ask) => one.words[ask.id] ?? [])),
    ...job.asks.filter(({ round }) => round < job.round).flatMap((ask) => words[ask.id] ?? []),
  ]
  const prLink = job.prLink ?? earlier.findLast((one) => one.job.prLink)?.job.prLink
  const quoted = before.length > 0 || earlier.length > 0 ? quoteEarlier(before, prLink) : ""
  return [quoted, composeMessage(job, words)].filter(Boolean).join("\n\n")
}

/** Writes the current requests; the service's job knows its earlier work itself. Pure. */
export function composeMessage(job: Job, words: Words): string {
  const prompts = currentAsks(job).flatMap((ask) => words[ask.id] ?? [])
  if (prompts.length === 1) return prompts.map(whole).join("")
  const labelled = prompts.map(({ speaker = "Somebody", words: said }) => `${speaker}:\n${said}`)
  return [...prompts.flatMap(({ context }) => context ?? []), ...labelled].join("\n\n")
}

function whole({ context, words }: Prompt): string {
  return [context, words].filter(Boolean).join("\n\n")
}

export async function readEarlier(
  jobs: Pick<JobStore, "find">,
  { continuesJob }: Job,
): Promise<{ job: Job; words: Words }[]> {
  const found: { job: Job; words: Words }[] = []
  const seen = new Set<string>()
  for (let id = continuesJob; id !== undefined && !seen.has(id) && seen.size < MAX_CHAIN; ) {
    seen.add(id)
    const one = await jobs.find(id)
    if (one) found.unshift(one)
    id = one?.job.continuesJob
  }
  return found
}

/** Quotes earlier requests: the first one's words, then the newest requests that fit. */
function quoteEarlier(prompts: readonly Prompt[], prLink: string | undefined): string {
  const [first, ...later] = fitted(prompts)
  const dropped = Math.max(0, prompts.length - 1 - later.length)
  const left = dropped > 0 ? ` The ${dropped} oldest were left out.` : ""
  const parts = [
    first
      ? `This continues earlier work. The first request was:\n${quoteLines(whole(first))}`
      : "This continues earlier work.",
    ...(later.length > 0 ? [`It was followed up, oldest first:${left}`] : []),
    ...later.map((prompt) => quoteLines(whole(prompt))),
  ]
  // Parsing the URL keeps it on one line, whatever the service reported.
  const link = prLink && URL.canParse(prLink) ? `Its pull request: ${new URL(prLink).href}` : ""
  return [parts.join("\n\n"), link].filter(Boolean).join("\n")
}

/** Keeps requests in preference to their contexts, and newer ones in preference to older ones. */
function fitted([first, ...later]: readonly Prompt[]): Prompt[] {
  if (!first) return []
  let room = MAX_EARLIER
  const kept: Prompt[] = []
  for (const prompt of later.toReversed()) {
    room -= Array.from(prompt.words).length
    if (room < 0) break
    kept.unshift(prompt)
  }
  const contexts = [first, ...kept].toReversed().map(({ words, context }) => {
    const lines = context ? lastLines(context, room) : ""
    room -= Array.from(lines).length
    return lines ? { words, context: lines } : { words }
  })
  return contexts.toReversed()
}

function lastLines(text: string, room: number): string {
  const lines = text.split("\n")
  let left = room
  const from = lines.findLastIndex((line) => {
    left -= Array.from(line).length + 1
    return left < 0
  })
  return lines.slice(from + 1).join("\n")
}
