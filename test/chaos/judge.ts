import { RANDOM } from "../sandbox/slack/seed/ids.ts"
import type { TestBed } from "../sandbox/test-bed.ts"
import { type AfterVerdict, judgeAfter } from "./judge-after.ts"
import { judgeSessions, type SessionVerdict } from "./judge-sessions.ts"
import { isCancelled, type Observer } from "./observer.ts"
import type { Request } from "./people.ts"
import { type Work, workOf } from "./work.ts"

/** The promises of the campaign, counted. */
export interface Verdict {
  /** Of the first requests; follow-ups are counted apart. */
  accepted: number
  followUps: number
  /** Exactly one ending told: closing reply, card that says "cancelled", or a private word. */
  toldOnce: number
  toldTwice: string[]
  lost: string[]
  createdTwice: string[]
  /** Two messages, or a message and a job, for one follow-up. */
  sentTwice: string[]
  /** Follow-ups that a message carried. */
  sent: number
  /** Two cards for one request. */
  cardedTwice: string[]
  /** Told an ending that is not what became of it at the service. */
  toldWrong: string[]
  cancelled: number
  /** Told privately that the bot may not post there. */
  cannotPost: number
  unknownTold: number
  after: AfterVerdict
  sessions: SessionVerdict
}

const UNKNOWN = /couldn't confirm that the agent started/
const SAYS = {
  pull_request:
    /Pull request ready|Draft pull request|Approved|Changes requested|Merged|Closed without/,
  no_pull_request: /Finished without a pull request/,
  failed: /couldn't finish/,
  archived: /Archived/,
} as const

export function judge(
  requests: readonly Request[],
  observer: Observer,
  { slack, docs, github }: Pick<TestBed, "slack" | "docs" | "github">,
): Verdict {
  const work = workOf(docs)
  const prompts = (holds: (work: Work) => boolean) =>
    [...work].flatMap(([prompt, done]) => (holds(done) ? [prompt] : []))
  const accepted = requests.filter((r) => r.accepted || observer.acknowledged(r.prompt))
  const verdict: Verdict = {
    accepted: accepted.filter(({ thread }) => !thread).length,
    followUps: accepted.filter(({ thread }) => thread).length,
    toldOnce: 0,
    toldTwice: [],
    lost: [],
    createdTwice: prompts(({ created }) => created > 1),
    sentTwice: prompts(({ created, sent }) => sent > 1 || (sent > 0 && created > 0)),
    sent: prompts(({ sent }) => sent > 0).length,
    cardedTwice: [],
    toldWrong: [],
    cancelled: 0,
    cannotPost: 0,
    unknownTold: 0,
    after: judgeAfter(accepted, observer, work, { docs, github }),
    sessions: judgeSessions(slack),
  }
  for (const { channel, prompt } of accepted)
    if (channel !== RANDOM) judgeOne(prompt, observer, work.get(prompt), verdict)
  judgePrivate(accepted, observer, verdict)
  return verdict
}

function judgeOne(
  prompt: string,
  observer: Observer,
  work: Work | undefined,
  verdict: Verdict,
): void {
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
  else if (times > 0 && !isTrue(work, cancelled ? undefined : text)) verdict.toldWrong.push(prompt)
}

/** "It is not known" is always true; a job that was never created has no other ending to tell. */
function isTrue(work: Work | undefined, text: string | undefined): boolean {
  const job = work?.job
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
