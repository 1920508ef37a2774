import { setTimeout as delay } from "node:timers/promises"
import { type Dice, dice } from "../helpers/dice.ts"
import type { JobPlan } from "../sandbox/docs-service/agent-job.ts"
import type { TestBed } from "../sandbox/test-bed.ts"
import type { CampaignOptions } from "./campaign.ts"
import { ask, makeUp, makeUpPlain, type Request } from "./people.ts"

/** Requests of one burst. */
const BURST = 4
/** Of every so many kills one has a burst right before it. */
const KILLS_PER_BURST = 5
const MOST_BURSTS = 20

/** A job that is sent a message ends as it did before. */
function ending(run: Omit<JobPlan, "followUp">): JobPlan {
  return { ...run, followUp: run }
}

const ENDINGS: readonly [JobPlan, ...JobPlan[]] = [
  ending({ ending: "pull_request", afterMs: 1500, prAfterMs: 500 }),
  ending({ ending: "pull_request", afterMs: 500 }),
  ending({ ending: "pull_request", afterMs: 4000 }),
  ending({ ending: "no_pull_request", afterMs: 1000 }),
  ending({ ending: "failed", afterMs: 300 }),
  ending({ ending: "archived", afterMs: 2000 }),
]

/** How many kills have a burst before them; the last one always has. */
export function burstsOf({ kills }: Pick<CampaignOptions, "kills">): number {
  return Math.min(MOST_BURSTS, Math.max(1, Math.floor(kills / KILLS_PER_BURST)))
}

/** Everybody who asks. All that they ask, bursts and others, are as many requests as were ordered. */
export class Crowd {
  /** By what they say. */
  readonly requests = new Map<string, Request>()
  readonly #otherParties: Pick<TestBed, "slack" | "docs">
  readonly #options: CampaignOptions
  readonly #chance: Dice
  #bursts: number

  constructor(otherParties: Pick<TestBed, "slack" | "docs">, options: CampaignOptions) {
    this.#otherParties = otherParties
    this.#options = options
    this.#chance = dice(options.seed)
    this.#bursts = 0
  }

  /** Spread over the time of the kills. Resolves when the bot has it all. */
  async spread(): Promise<void> {
    const { requests, kills, gapMs } = this.#options
    const count = Math.max(1, requests - burstsOf(this.#options) * BURST)
    const everyMs = (kills * gapMs) / count
    const asking: Promise<void>[] = []
    for (let n = 1; n <= count; n += 1) {
      asking.push(this.#ask(makeUp(n, this.#chance), this.#chance))
      await delay(this.#chance.between(0, 2 * everyMs))
    }
    await Promise.all(asking)
  }

  /** Some at once, which all have an ending to be told in a thread. Resolves when the bot has them. */
  async burst(): Promise<Request[]> {
    this.#bursts += 1
    const from = this.#options.requests + this.#bursts * BURST
    const chance = dice(this.#options.seed + 2 + this.#bursts)
    const burst = Array.from({ length: BURST }, (_, n) => makeUpPlain(from + n, chance))
    await Promise.all(burst.map((request) => this.#ask(request, chance)))
    return burst
  }

  async #ask(request: Request, chance: Dice): Promise<void> {
    const { slack, docs } = this.#otherParties
    this.requests.set(request.prompt, request)
    docs.plan(chance.pick(ENDINGS))
    await ask(slack, request, chance)
  }
}
