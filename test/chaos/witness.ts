import { isObject, stringIn } from "../sandbox/kit/json.ts"
import type { Message } from "../sandbox/slack/workspace/model.ts"
import type { TestBed } from "../sandbox/test-bed.ts"
import { firstPromptIn, lastPromptIn, type Request } from "./people.ts"

/** What the promises say must not be; empty after a good campaign. */
export interface Verdict {
  readonly accepted: number
  readonly told: number
  readonly lost: readonly string[]
  readonly createdTwice: readonly string[]
  readonly saidTwice: readonly string[]
  readonly toldWrong: readonly string[]
}

/** By request: how often the service was asked for it, and the job that has it. */
type Work = Map<string, { times: number; jobId: string }>

const UNKNOWN = /Couldn't confirm that the agent started/
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
  /** Jobs by the request that their card is about. */
  readonly #jobOf = new Map<string, string>()
  readonly #acknowledged = new Set<string>()
  #onResult = (_prompt: string, _reply: Message) => {}

  constructor(parties: Pick<TestBed, "slack" | "docs">) {
    this.#parties = parties
    parties.slack.subscribe((change) => {
      if (change.type === "message_posted" || change.type === "message_edited")
        this.#see(change.message)
      if (change.type !== "delivered" || !change.delivery.acknowledgement.ok) return
      const { event } = change.delivery.delivery.payload
      const prompt = firstPromptIn((isObject(event) && stringIn(event, "text")) || "")
      if (prompt) this.#acknowledged.add(prompt)
    })
  }

  /** Calls back when the first result of a job is posted. */
  onResult(listener: (prompt: string, reply: Message) => void): void {
    this.#onResult = listener
  }

  judge(requests: readonly Request[]): Verdict {
    const accepted = requests.filter((r) => r.accepted || this.#acknowledged.has(r.prompt))
    const work = this.#work()
    const told = accepted.filter((request) => this.#resultOf(request) !== undefined)
    return {
      accepted: accepted.length,
      told: told.length,
      lost: accepted.filter((one) => !told.includes(one)).map(({ prompt }) => prompt),
      createdTwice: [...work].flatMap(([prompt, { times }]) => (times > 1 ? [prompt] : [])),
      saidTwice: [...this.#said].flatMap(([what, messages]) => (messages.size > 1 ? [what] : [])),
      toldWrong: told
        .filter((one) => !this.#isTrue(one, work))
        .map((one) => `${one.prompt} (${this.#resultOf(one)?.text})`),
    }
  }

  /** How often the service was made to do each request, and the job that did it. */
  #work(): Work {
    const { docs } = this.#parties
    const work: Work = new Map()
    const count = (words: string, jobId: string) => {
      const prompt = lastPromptIn(words) ?? words
      work.set(prompt, { times: (work.get(prompt)?.times ?? 0) + 1, jobId })
    }
    for (const { prompt, jobId } of docs.creations) count(prompt, jobId)
    for (const { id } of docs.projects)
      for (const job of docs.jobs(id)) for (const { prompt } of job.messages) count(prompt, job.id)
    return work
  }

  /** The reply that told what came of it: of its own job, or of a later round of the job it follows. */
  #resultOf({ prompt, follows }: Request): Message | undefined {
    const own = this.#jobOf.get(prompt)
    if (own) return this.#last(`${own} result 1`)
    const job = follows && this.#jobOf.get(follows.prompt)
    return job ? this.#last(`${job} result 2`) : undefined
  }

  #last(what: string): Message | undefined {
    return [...(this.#said.get(what)?.values() ?? [])].at(-1)
  }

  /** "Couldn't confirm" is always true. */
  #isTrue(request: Request, work: Work): boolean {
    const text = this.#resultOf(request)?.text ?? ""
    if (UNKNOWN.test(text)) return true
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
    }
    const prompt = [...this.#jobOf].find(([, id]) => id === job)?.[0]
    if (part === "result 1" && !known && prompt) this.#onResult(prompt, message)
  }
}
