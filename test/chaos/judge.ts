import type { DocsService } from "../sandbox/docs-service/service.ts"
import { RANDOM } from "../sandbox/slack/seed/ids.ts"
import { isCancelled, type Observer } from "./observer.ts"
import type { Request } from "./people.ts"

/** The promises of the campaign, counted. */
export interface Verdict {
  accepted: number
  /** Exactly one ending told: closing reply, card that says "cancelled", or a private word. */
  toldOnce: number
  toldTwice: string[]
  lost: string[]
  createdTwice: string[]
  /** Two cards for one request. */
  cardedTwice: string[]
  /** Told an ending that is not what became of it at the service. */
  toldWrong: string[]
  cancelled: number
  /** Told privately that the bot may not post there. */
  cannotPost: number
  unknownTold: number
}

const UNKNOWN = /couldn't confirm that the agent started/
const SAYS = {
  pull_request: /Pull request ready/,
  no_pull_request: /Finished without a pull request/,
  failed: /couldn't finish/,
  archived: /Archived/,
} as const

export function judge(
  requests: readonly Request[],
  observer: Observer,
  docs: DocsService,
): Verdict {
  const created = countBy(docs.creations.map(({ prompt }) => prompt))
  const verdict: Verdict = {
    accepted: 0,
    toldOnce: 0,
    toldTwice: [],
    lost: [],
    createdTwice: [...created].flatMap(([prompt, n]) => (n > 1 ? [prompt] : [])),
    cardedTwice: [],
    toldWrong: [],
    cancelled: 0,
    cannotPost: 0,
    unknownTold: 0,
  }
  const accepted = requests.filter((r) => r.accepted || observer.acknowledged(r.prompt))
  verdict.accepted = accepted.length
  for (const request of accepted)
    if (request.channel !== RANDOM) judgeOne(request.prompt, observer, docs, verdict)
  judgePrivate(accepted, observer, verdict)
  return verdict
}

function judgeOne(prompt: string, observer: Observer, docs: DocsService, verdict: Verdict): void {
  const told = observer.told(prompt)
  const cancelled = isCancelled(told)
  const times = told.closings.length + (cancelled ? 1 : 0)
  if (times === 0) verdict.lost.push(prompt)
  else if (times === 1) verdict.toldOnce += 1
  else verdict.toldTwice.push(prompt)
  if (told.cards.length > 1) verdict.cardedTwice.push(prompt)
  if (cancelled) verdict.cancelled += 1
  const text = told.closings[0]?.text ?? ""
  if (UNKNOWN.test(text)) verdict.unknownTold += 1
  else if (times > 0 && !isTrue(prompt, cancelled ? undefined : text, docs))
    verdict.toldWrong.push(prompt)
}

/** "It is not known" is always true; a job that was never created has no other ending to tell. */
function isTrue(prompt: string, text: string | undefined, docs: DocsService): boolean {
  const creation = docs.creations.find((known) => known.prompt === prompt)
  const job = creation && docs.job(creation.jobId)
  if (text === undefined) return job === undefined
  if (!job || job.run.plan.ending === "never") return false
  return SAYS[job.run.plan.ending].test(text)
}

/** The private word does not say which request it is about: it is counted for each person. */
function judgePrivate(accepted: readonly Request[], observer: Observer, verdict: Verdict): void {
  const closed = countBy(accepted.flatMap((r) => (r.channel === RANDOM ? [r.user] : [])))
  for (const [user, asked] of closed) {
    const told = observer.cannotPost(user)
    verdict.cannotPost += told
    verdict.toldOnce += Math.min(asked, told)
    for (let n = told; n < asked; n += 1) verdict.lost.push(`a private word to ${user}`)
  }
}

function countBy(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}
