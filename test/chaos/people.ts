import { setTimeout as delay } from "node:timers/promises"
import type { Dice } from "../helpers/dice.ts"
import type { LocalSlack } from "../sandbox/slack/local-slack.ts"
import { ADA, BEN, CLEO, DOCS, EDITORS, SHARED } from "../sandbox/slack/seed/ids.ts"
import { PROJECTS } from "./timing.ts"

export interface Request {
  readonly prompt: string
  readonly user: string
  readonly channel: string
  /** The request whose thread it was said in. */
  readonly follows?: Request
  /** When a follow-up was said, by Slack's clock, ms. */
  readonly saidAt?: number
  /** Did the bot say that it has it? For a mention: was its event acknowledged? */
  accepted: boolean
  /** When it last was asked for or acknowledged, by the clock of this process, ms. */
  askedAt?: number
}

const PLACES: readonly [Place, ...Place[]] = [
  { user: ADA, channel: DOCS },
  { user: BEN, channel: DOCS },
  { user: CLEO, channel: EDITORS },
  { user: ADA, channel: SHARED },
  { user: BEN, channel: SHARED },
]
type Place = Pick<Request, "user" | "channel">

const PROMPT = /explain chapter \d{5}/g
/** Nothing is said about a request that is in: its card appears. */
const TAKEN = /^$|You made this request/
/** Somebody types a command again that failed, ms. */
const AGAIN_MS = 700

export function promptOf(n: number): string {
  return `explain chapter ${String(n).padStart(5, "0")}`
}

export function promptsIn(text: string): readonly string[] {
  return text.match(PROMPT) ?? []
}

/** A card's own prompt, which stands before any other that it names. */
export function firstPromptIn(text: string): string | undefined {
  return promptsIn(text)[0]
}

/** The one that the service is told to do: earlier work stands before it. */
export function lastPromptIn(text: string): string | undefined {
  return promptsIn(text).at(-1)
}

export function somebodyIn(channel: string, chance: Dice): string | undefined {
  const there = PLACES.filter((place) => place.channel === channel)
  return there[Math.floor(chance.between(0, there.length))]?.user
}

export function makeUp(n: number, chance: Dice): Request {
  return { ...chance.pick(PLACES), prompt: promptOf(n), accepted: false }
}

/** Asks until the bot has it; Slack itself repeats the event of a mention. */
export async function ask(slack: LocalSlack, request: Request, chance: Dice): Promise<void> {
  const { user, channel, prompt } = request
  const words = `project=${PROJECTS[Math.floor(chance.between(0, PROJECTS.length))]} ${prompt}`
  if (chance.chance(0.3)) {
    await slack.as(user).mention(channel, words)
    return
  }
  while (!request.accepted) {
    const { shown, error } = await slack.as(user).slash(channel, "/docs-agent", words)
    request.askedAt = Date.now()
    request.accepted = !error && TAKEN.test(shown?.text ?? "")
    if (!request.accepted) await delay(AGAIN_MS)
  }
}
