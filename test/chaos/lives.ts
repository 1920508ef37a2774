import { setTimeout as delay } from "node:timers/promises"
import { dice } from "../helpers/dice.ts"
import { ADA, BEN, CLEO, EDITORS } from "../sandbox/slack/seed/ids.ts"
import type { Message } from "../sandbox/slack/workspace/model.ts"
import type { TestBed } from "../sandbox/test-bed.ts"
import { NOTHING } from "./after.ts"
import type { Observer } from "./observer.ts"
import { ask, type Request } from "./people.ts"
import { REFUSED } from "./words.ts"
import { placeOf, workOf } from "./work.ts"

/** Somebody presses again what did nothing, ms. */
const AGAIN_MS = 700
const MOST_PRESSES = 20
/** Who sees nothing come of a press for so long has lost it, ms. */
const QUIET_MS = 15_000
const BUILD = { queuedMs: 200, afterMs: 1500 }

type Parties = Pick<TestBed, "slack" | "docs" | "github">

/** What people do after each ending, from the moment that they are told it. */
export class Lives {
  readonly #parties: Parties
  readonly #observer: Observer
  readonly #requests: Map<string, Request>
  readonly #seed: number
  readonly #doing: Promise<void>[] = []

  constructor(
    parties: Parties,
    observer: Observer,
    requests: Map<string, Request>,
    { seed }: { seed: number },
  ) {
    this.#parties = parties
    this.#observer = observer
    this.#requests = requests
    this.#seed = seed
    observer.onEnding((prompt, reply) => this.#begin(prompt, reply))
  }

  /** Resolves when everybody has done everything. */
  async done(): Promise<void> {
    for (let n = 0; n < this.#doing.length; n += 1) await this.#doing[n]
  }

  #begin(prompt: string, reply: Message): void {
    const request = this.#requests.get(prompt)
    if (!request) return
    const { followUp, presses, life } = request.after
    if (followUp) this.#doing.push(this.#followUp(request, followUp, reply))
    const job = workOf(this.#parties.docs).get(prompt)?.job
    if (!job?.prLink || !job.pull) return
    if (presses > 0) this.#doing.push(this.#press(request, reply))
    if (life.length > 0) this.#doing.push(this.#live(request, job.pull.link))
  }

  async #followUp({ user, channel }: Request, prompt: string, reply: Message): Promise<void> {
    const thread = reply.threadTs
    const asked = { prompt, user, channel, by: "mention", thread, after: NOTHING } as const
    const request: Request = { ...asked, cancels: false, accepted: false, typed: 0 }
    this.#requests.set(prompt, request)
    await ask(this.#parties.slack, request, dice(this.#seed))
  }

  async #press(request: Request, { channel, ts }: Message): Promise<void> {
    const { slack, docs } = this.#parties
    const { user, after } = request
    docs.configure({ previewPlan: { ...BUILD, ending: after.buildEnds } })
    const second = user !== ADA ? ADA : channel === EDITORS ? CLEO : BEN
    const people = [user, channel.startsWith("D") ? user : second].slice(0, after.presses)
    for (let n = 0; n < MOST_PRESSES && this.#observer.canBuild(request.prompt); n += 1) {
      const answered = this.#answer(request)
      const acks = people.map((one) => slack.as(one).click({ channel, ts }, "Build preview"))
      const oks = await Promise.all(acks.map((ack) => ack.then(({ ok }) => ok).catch(() => false)))
      const isTaken = oks.includes(true)
      if (isTaken) request.pressed = true
      if (isTaken && (await answered) === "taken") return
      await delay(AGAIN_MS)
    }
  }

  /** What comes of a press: the reply says so, or it is said privately that it was not done. */
  async #answer({ prompt, user }: Request): Promise<"taken" | "refused"> {
    const { slack } = this.#parties
    const until = performance.now() + QUIET_MS
    const refusals = () => slack.ephemerals(user).filter(({ text }) => REFUSED.test(text)).length
    const before = refusals()
    while (performance.now() < until && this.#observer.canBuild(prompt)) {
      if (refusals() > before) return "refused"
      await delay(50)
    }
    return "taken"
  }

  async #live({ after }: Request, link: string): Promise<void> {
    const { repository, number } = placeOf(link)
    for (const { afterMs, action } of after.life) {
      await delay(afterMs)
      this.#parties.github.act(repository, number, action)
    }
  }
}
