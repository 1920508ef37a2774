import { WINDOW_MS } from "../../src/config/timing.ts"
import type { CreationOutcome, Grant } from "../../src/jobs/queue-ports.ts"
import { OwnCreations } from "../../src/limits/own-creations.ts"
import type { SlotStore } from "../../src/redis/queue/slots.ts"
import { CREATION_MS, REQUEST_MS, SEND_WITHIN_MS } from "./times.ts"
import type { World } from "./world.ts"

/** A process looks again after this at the latest, ms; the real one does so each second. */
const LONGEST_REST_MS = 300_000

/**
 * One worker of the bot in simulated time: the store and what a process remembers are real, the
 * order of steps is that of `BottleneckCreationSlots`, and everything between the steps goes wrong.
 */
export class SimulatedProcess {
  readonly #world: World
  readonly #own: OwnCreations
  readonly #name: string
  /** What the project is called in this process. */
  readonly #project: string
  readonly #slots: SlotStore
  #dead = false
  #retired = false
  #idle = false
  #tokens = 0

  constructor(world: World, name: string) {
    this.#world = world
    this.#name = name
    this.#project = world.setup.name
    this.#slots = world.stores().slots
    // No two processes count their time from the same moment.
    const offset = world.dice.between(-1e12, 1e12)
    this.#own = new OwnCreations(WINDOW_MS, () => world.timeline.now() + offset)
  }

  start(): void {
    this.#later(this.#world.dice.between(0, 1000), () => this.#next())
  }

  /** It ends in good order: what is in hand is finished, and nothing more is begun. */
  retire(): void {
    this.#retired = true
    this.#world.processes.splice(this.#world.processes.indexOf(this), 1)
  }

  /** Something was asked for: an idle process sees it within its rest. */
  wake(): void {
    if (!this.#idle) return
    this.#idle = false
    this.#later(this.#world.dice.between(0, 1000), () => this.#next())
  }

  /** Redis is back, perhaps without its data: tell it what this process knows. */
  async reseed(): Promise<void> {
    if (this.#dead) return
    const slots = this.#slots
    const own = this.#own.list()
    const unsettled = new Set(await slots.reseed(this.#project, own))
    for (const { job, token, outcome } of own)
      if (outcome && unsettled.has(job.id))
        await slots.settle({ job, queue: this.#project }, token, outcome, 1000)
  }

  async #next(): Promise<void> {
    const slots = this.#slots
    const { dice, weather } = this.#world
    if (this.#retired) return
    this.#tokens += 1
    const token = `${this.#name} ${this.#tokens}`
    const result = await slots.reserve(this.#project, token)
    if ("waitMs" in result) return this.#rest(result.waitMs)
    this.#world.ledger.started(result.job.id, result.job.user, this.#world.timeline.now())
    const heldUpMs = dice.chance(weather.heldUp) ? dice.between(0, 40_000) : dice.between(0, 50)
    if (!dice.chance(weather.lostReply)) return this.#use(result, token, heldUpMs)
    // The reply is lost, so the client sends the very same call again.
    this.#later(heldUpMs, async () => {
      const again = await slots.reserve(this.#project, token)
      if ("waitMs" in again || again.job.id !== result.job.id)
        this.#world.ledger.violations.push("a repeated reserve took another slot")
      else this.#use(again, token, 0, heldUpMs)
    })
  }

  #rest(waitMs: number): void {
    const { dice } = this.#world
    this.#idle = waitMs === Number.POSITIVE_INFINITY
    if (!this.#idle)
      this.#later(Math.min(waitMs, LONGEST_REST_MS) + dice.between(0, 300), () => this.#next())
  }

  #use(grant: Grant, token: string, restMs: number, passedMs = 0): void {
    const { dice, weather } = this.#world
    this.#own.begun(grant.job, token, CREATION_MS)
    if (dice.chance(weather.kill / 2)) this.#die(false)
    const tooLate = passedMs + restMs > SEND_WITHIN_MS
    this.#later(restMs, () =>
      tooLate ? this.#answer(grant, token, { kind: "put_back" }) : this.#send(grant, token),
    )
  }

  #send(grant: Grant, token: string): void {
    const { dice, ledger, timeline, weather } = this.#world
    const sent = timeline.now()
    const outcome = this.#outcome(grant)
    const answered = sent + (outcome.kind === "unknown" ? REQUEST_MS : this.#answerMs())
    const arrives = outcome.kind !== "put_back" && outcome.kind !== "refused"
    // The service takes it at the earliest, the latest or any moment in between.
    const arrival = dice.pick([sent, answered, dice.between(sent, answered)])
    if (arrives) ledger.arrived(grant.job.id, arrival)
    if (dice.chance(weather.kill / 2)) this.#die(arrives)
    else timeline.at(answered, () => this.#answer(grant, token, outcome))
  }

  #answerMs(): number {
    const { dice, weather } = this.#world
    return dice.chance(0.1) ? weather.answerMs : dice.between(50, weather.answerMs)
  }

  #outcome({ job }: Grant): CreationOutcome {
    const { dice, weather } = this.#world
    if (dice.chance(weather.unknown)) return { kind: "unknown", detail: "a timeout" }
    if (!dice.chance(weather.noEffect)) return { kind: "created", agentJobId: `agent ${job.id}` }
    return dice.pick<CreationOutcome>([
      { kind: "put_back", reason: "rate_limited", pauseMs: dice.between(0, 120_000) },
      { kind: "put_back", reason: "rate_limited" },
      { kind: "put_back", reason: "outage" },
      { kind: "put_back", reason: "key_refused" },
      { kind: "refused", detail: "too vague" },
    ])
  }

  async #answer(grant: Grant, token: string, outcome: CreationOutcome): Promise<void> {
    const slots = this.#slots
    const { dice, jobs, weather, ledger, timeline } = this.#world
    if (this.#dead) return
    this.#own.ended(grant.job.id, outcome)
    // Redis may be slow to take it, or away until after others have given the job up.
    const lateMs = dice.chance(weather.heldUp) ? dice.between(0, 60_000) : dice.between(0, 20)
    this.#later(lateMs, async () => {
      const settle = () => slots.settle(grant, token, outcome, 1000)
      await settle()
      if (dice.chance(weather.lostReply)) await settle()
      const { job } = grant
      if (outcome.kind === "put_back") {
        // Others may have given it up while this one was held up.
        if ((await jobs.get(job.id))?.state === "queued")
          ledger.asked(job.id, job.user, timeline.now()).single = false
        if (outcome.reason === "key_refused") this.#resumeLater()
      } else await this.#world.sweepUp(job.id, token)
      this.#later(250, () => this.#next())
    })
    if (lateMs > 1000) this.#sweepLater()
  }

  #resumeLater(): void {
    const { dice, timeline } = this.#world
    timeline.after(
      dice.between(60_000, 1_200_000),
      async () => void (await this.#world.queue.resume(this.#world.setup.name)),
    )
  }

  /** Killed with a creation in hand; another process ends it, a new one takes this one's place. */
  #die(arrived: boolean): void {
    const { dice, timeline, ledger } = this.#world
    this.#dead = true
    ledger.counts.restarts += 1
    if (!arrived) ledger.doubtful.push(timeline.now())
    this.#world.processes.splice(this.#world.processes.indexOf(this), 1)
    timeline.after(dice.between(1000, 60_000), () => this.#world.startProcess())
    this.#sweepLater()
  }

  #sweepLater(): void {
    const { dice, timeline } = this.#world
    timeline.after(
      CREATION_MS + dice.between(0, 1000),
      async () => void (await this.#slots.sweep(this.#project)),
    )
  }

  #later(ms: number, run: () => Promise<void> | void): void {
    this.#world.timeline.after(ms, () => (this.#dead ? undefined : run()))
  }
}
