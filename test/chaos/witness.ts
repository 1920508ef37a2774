import { isObject, stringIn } from "../sandbox/kit/json.ts"
import type { Message } from "../sandbox/slack/workspace/model.ts"
import type { TestBed } from "../sandbox/test-bed.ts"
import { firstPromptIn, lastPromptIn, promptsIn, type Request } from "./people.ts"

/** What the promises say must not be; empty after a good campaign. */
export interface Verdict {
  readonly accepted: number
  readonly told: number
  readonly lost: readonly string[]
  readonly createdTwice: readonly string[]
  readonly sentAlthoughCancelled: readonly string[]
  readonly outOfOrder: readonly string[]
  readonly saidTwice: readonly string[]
  readonly toldWrong: readonly string[]
}

/** By request: when the service was first made to do it, and in which job; ms. */
type Work = ReadonlyMap<string, { at: number; jobId: string }>

/** A request is kept before Slack hears so, which takes no longer, ms. */
const ACKNOWLEDGED_WITHIN_MS = 3000
/** The service has nothing that would contradict these. */
const WITHOUT_WORK = /Couldn't confirm that the agent|Rejected by|Cancelled/
const SAYS = {
  pull_request: /pull request is ready|Updated/,
  no_pull_request: /Finished without a pull request/,
  failed: /couldn't finish/,
  archived: /Archived/,
} as const

/** Sees the workspace as the people in it do, and the service as its owner does. */
export class Witness {
  lastNewsAt = performance.now()
  readonly #parties: Pick<TestBed, "slack" | "docs">
  /** Messages of the bot by job and part, then by timestamp. */
  readonly #said = new Map<string, Map<string, Message>>()
  readonly #jobOf = new Map<string, string>()
  /** When the event of each was first acknowledged, ms. */
  readonly #acknowledged = new Map<string, number>()
  #onCard = (_prompt: string, _card: Message) => {}
  #onResult = (_prompt: string, _reply: Message) => {}

  constructor(parties: Pick<TestBed, "slack" | "docs">) {
    this.#parties = parties
    parties.slack.subscribe((change) => {
      if (change.type === "message_posted" || change.type === "message_edited")
        this.#see(change.message)
      if (change.type !== "delivered" || !change.delivery.acknowledgement.ok) return
      const { event } = change.delivery.delivery.payload
      const prompt = firstPromptIn((isObject(event) && stringIn(event, "text")) || "")
      if (prompt && !this.#acknowledged.has(prompt)) this.#acknowledged.set(prompt, Date.now())
    })
  }

  onCard(listener: (prompt: string, card: Message) => void): void {
    this.#onCard = listener
  }

  /** Calls back when the first result of a job is posted. */
  onResult(listener: (prompt: string, reply: Message) => void): void {
    this.#onResult = listener
  }

  /**
   * @param requests in the order in which they were made
   * @param emptiedAt when Redis lost everything, ms: what was in hand then is forgotten, as OPERATIONS says
   */
  judge(requests: readonly Request[], emptiedAt: readonly number[]): Verdict {
    const accepted = requests.filter((r) => r.accepted || this.#acknowledged.has(r.prompt))
    const lastLossAt = Math.max(0, ...emptiedAt)
    const isForgotten = ({ prompt, askedAt = 0 }: Request) =>
      (this.#acknowledged.get(prompt) ?? askedAt) < lastLossAt + ACKNOWLEDGED_WITHIN_MS
    const words = this.#words()
    const work = workOf(words)
    const last = words.map((sent) => lastPromptIn(sent.prompt))
    const told = accepted.filter((request) => this.#resultOf(request, work) !== undefined)
    const names = (found: readonly Request[]) => found.map(({ prompt }) => prompt)
    const isCancelled = ({ prompt }: Request) =>
      /Cancelled/.test(this.#last(`${this.#jobOf.get(prompt)} card`)?.text ?? "")
    return {
      accepted: accepted.length,
      told: told.length,
      lost: accepted
        .filter((one) => !told.includes(one) && !isForgotten(one))
        .map((one) => `${one.prompt}${this.#traceOf(one, work)}`),
      createdTwice: [...work.keys()].filter((p) => last.filter((one) => one === p).length > 1),
      sentAlthoughCancelled: names(
        accepted.filter((one) => isCancelled(one) && work.has(one.prompt)),
      ),
      outOfOrder: outOfOrder(accepted, words),
      saidTwice: [...this.#said].flatMap(([what, messages]) => (messages.size > 1 ? [what] : [])),
      toldWrong: told
        .filter((one) => !this.#isTrue(one, work))
        .map((one) => `${one.prompt}${this.#truthOf(one, work)}`),
    }
  }

  jobFor(prompt: string): string | undefined {
    return workOf(this.#words()).get(prompt)?.jobId
  }

  /** Everything that the service was made to do, oldest first. */
  #words(): { prompt: string; jobId: string; at: number }[] {
    const { docs } = this.#parties
    const jobs = docs.projects.flatMap(({ id }) => docs.jobs(id))
    const messages = jobs.flatMap(({ id, messages }) => messages.map((m) => ({ ...m, jobId: id })))
    return [...docs.creations, ...messages].sort((a, b) => a.at - b.at)
  }

  /**
   * The reply that told what came of it: of its own job; of the job that it went to together with others;
   * or of a round of the job that it follows, which ended after it was sent.
   */
  #resultOf({ prompt, follows, saidAt = 0 }: Request, work: Work): Message | undefined {
    const taken = work.get(prompt)
    const withCard = [...work].find(([p, w]) => w.jobId === taken?.jobId && this.#jobOf.has(p))
    const own = this.#jobOf.get(prompt)
    if (own) return this.#last(`${own} result 1`) ?? this.#cancelledCard(own)
    const job = this.#jobOf.get(follows?.prompt ?? withCard?.[0] ?? "")
    const since = Math.max(taken?.at ?? 0, saidAt)
    const found = this.#resultsOf(job).find(({ ts }) => Number(ts) * 1000 > since)
    if (found && (taken || WITHOUT_WORK.test(found.text))) return found
    return withCard ? this.#last(`${this.#jobOf.get(withCard[0])} result 1`) : undefined
  }

  /** Says where a request that was not told was last seen. */
  #traceOf({ prompt, follows }: Request, work: Work): string {
    const job = this.#jobOf.get(prompt) ?? this.#jobOf.get(follows?.prompt ?? "")
    const results = this.#resultsOf(job).map(({ text }) => text)
    const sent = work.has(prompt) ? "was sent" : "was not sent"
    return ` (${sent}; job ${job}: ${this.#last(`${job} card`)?.text} | ${results.join(" | ")})`
  }

  /** Says what was told about a request, and what became of it at the service. */
  #truthOf(request: Request, work: Work): string {
    const at = work.get(request.prompt)?.jobId
    const plan = this.#parties.docs.job(at ?? "")?.run.plan.ending
    const said = `told: ${this.#resultOf(request, work)?.text}; the service's job ${at}: ${plan}`
    return ` (${said}${this.#traceOf(request, work)})`
  }

  #cancelledCard(job: string): Message | undefined {
    const card = this.#last(`${job} card`)
    return card && /Cancelled/.test(card.text) ? card : undefined
  }

  #resultsOf(job: string | undefined): Message[] {
    const parts = [...this.#said].filter(([what]) => what.startsWith(`${job} result `))
    return parts
      .flatMap(([, messages]) => [...messages.values()])
      .sort((a, b) => Number(a.ts) - Number(b.ts))
  }

  #last(what: string): Message | undefined {
    return [...(this.#said.get(what)?.values() ?? [])].at(-1)
  }

  #isTrue(request: Request, work: Work): boolean {
    const text = this.#resultOf(request, work)?.text ?? ""
    if (WITHOUT_WORK.test(text)) return true
    const job = this.#parties.docs.job(work.get(request.prompt)?.jobId ?? "")
    const ending = job?.run.plan.ending
    return ending !== undefined && ending !== "never" && SAYS[ending].test(text)
  }

  #see(message: Message): void {
    const payload = message.metadata?.event_payload
    const job = isObject(payload) ? stringIn(payload, "job") : undefined
    const part = isObject(payload) ? stringIn(payload, "part") : undefined
    if (!job || !part) return
    this.lastNewsAt = performance.now()
    const what = `${job} ${part}`
    const known = this.#said.get(what)
    this.#said.set(what, new Map(known).set(message.ts, message))
    if (part === "card" && !known) {
      const prompt = firstPromptIn(JSON.stringify(message.blocks))
      if (prompt) this.#jobOf.set(prompt, job)
      if (prompt) this.#onCard(prompt, message)
    }
    const prompt = [...this.#jobOf].find(([, id]) => id === job)?.[0]
    if (part === "result 1" && !known && prompt) this.#onResult(prompt, message)
  }
}

/** Finds the words that each request first went to the service with: later words quote them. */
function workOf(words: readonly { prompt: string; jobId: string; at: number }[]): Work {
  const work = new Map<string, { at: number; jobId: string }>()
  for (const { prompt: sent, jobId, at } of words)
    for (const prompt of promptsIn(sent)) if (!work.has(prompt)) work.set(prompt, { at, jobId })
  return work
}

/** Follow-ups that went together, where one stands before another that was said earlier. */
function outOfOrder(requests: readonly Request[], words: readonly { prompt: string }[]): string[] {
  const said = new Map(requests.map(({ prompt, saidAt }) => [prompt, saidAt]))
  return words.flatMap(({ prompt: sent }) => {
    const times = promptsIn(sent).flatMap((prompt) => said.get(prompt) ?? [])
    return times.some((at, n) => at < (times[n - 1] ?? 0)) ? [sent] : []
  })
}
