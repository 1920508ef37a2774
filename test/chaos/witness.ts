import { isObject, stringIn } from "../sandbox/kit/json.ts"
import type { Message } from "../sandbox/slack/workspace/model.ts"
import type { TestBed } from "../sandbox/test-bed.ts"
import { firstPromptIn, lastPromptIn, promptsIn, type Request } from "./people.ts"

/** Outcome of a campaign; all lists are empty if the bot kept its promises. */
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

/** First job at the service for each request, with the time in ms when the request was sent. */
type Work = ReadonlyMap<string, { at: number; jobId: string }>

/** Time limit in ms for an acknowledgement, which the bot sends after it has stored the request. */
const ACKNOWLEDGED_WITHIN_MS = 3000
/** Results that nothing at the service can contradict. */
const WITHOUT_WORK = /Couldn't confirm that the agent|Rejected by|Cancelled/
const SAYS = {
  pull_request: /Your pull request|Updated/,
  no_pull_request: /Finished without a pull request/,
  failed: /couldn't finish/,
  archived: /Archived/,
} as const

/** Observer of the workspace as its people see it, and of the service as its owner sees it. */
export class Witness {
  lastNewsAt = performance.now()
  readonly #parties: Pick<TestBed, "slack" | "docs">
  /** Bot messages by job and part, then by timestamp. */
  readonly #said = new Map<string, Map<string, Message>>()
  readonly #jobOf = new Map<string, string>()
  /** Time in ms of the first acknowledged event by prompt. */
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

  /** Registers a listener for the first result of each job. */
  onResult(listener: (prompt: string, reply: Message) => void): void {
    this.#onResult = listener
  }

  /**
   * Judges these requests, oldest first.
   * @param emptiedAt times in ms when Redis lost its data and requests in progress were forgotten
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

  /** Returns every prompt that the service received, oldest first. */
  #words(): { prompt: string; jobId: string; at: number }[] {
    const { docs } = this.#parties
    const jobs = docs.projects.flatMap(({ id }) => docs.jobs(id))
    const messages = jobs.flatMap(({ id, messages }) => messages.map((m) => ({ ...m, jobId: id })))
    return [...docs.creations, ...messages].sort((a, b) => a.at - b.at)
  }

  /**
   * Returns the reply with a request's result: from its own job, from a job that combined it with
   * others, or from a round of the job that it follows, if that round ended after it was sent.
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

  /** Describes where a request without a result was last seen. */
  #traceOf({ prompt, follows }: Request, work: Work): string {
    const job = this.#jobOf.get(prompt) ?? this.#jobOf.get(follows?.prompt ?? "")
    const results = this.#resultsOf(job).map(({ text }) => text)
    const sent = work.has(prompt) ? "was sent" : "was not sent"
    return ` (${sent}; job ${job}: ${this.#last(`${job} card`)?.text} | ${results.join(" | ")})`
  }

  /** Describes what the bot said about a request, and its state at the service. */
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
    // Its card goes on with those who asked in the same round, and so does its result.
    if (request.takenBack && !work.has(request.prompt)) return true
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

/** Finds the first job for each prompt: later prompts quote earlier ones. */
function workOf(words: readonly { prompt: string; jobId: string; at: number }[]): Work {
  const work = new Map<string, { at: number; jobId: string }>()
  for (const { prompt: sent, jobId, at } of words)
    for (const prompt of promptsIn(sent)) if (!work.has(prompt)) work.set(prompt, { at, jobId })
  return work
}

/** Returns prompts that combine follow-ups out of order. */
function outOfOrder(requests: readonly Request[], words: readonly { prompt: string }[]): string[] {
  const said = new Map(requests.map(({ prompt, saidAt }) => [prompt, saidAt]))
  return words.flatMap(({ prompt: sent }) => {
    const times = promptsIn(sent).flatMap((prompt) => said.get(prompt) ?? [])
    return times.some((at, n) => at < (times[n - 1] ?? 0)) ? [sent] : []
  })
}
