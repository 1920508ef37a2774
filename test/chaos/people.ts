import { setTimeout as delay } from "node:timers/promises"
import type { Dice } from "../helpers/dice.ts"
import { ADA, BEN, CLEO, DOCS, EDITORS, type LocalSlack, SHARED } from "../sandbox/slack/index.ts"
import { PROJECTS } from "./timing.ts"

export interface Request {
  readonly prompt: string
  readonly user: string
  readonly channel: string
  /** Request in whose thread this one was posted. */
  readonly follows?: Request
  /** Time in ms, by Slack's clock, when a follow-up was posted. */
  readonly saidAt?: number
  /** True once its *Cancel* was pressed, which may have been too late. */
  takenBack?: boolean
  /** True if the bot confirmed the command; for a mention, if its event was acknowledged. */
  accepted: boolean
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
/** Reply to a command that the bot has accepted: none, or a note about an earlier copy. */
const TAKEN = /^$|You already made this request/
/** Time in ms before a person retypes a failed command. */
const AGAIN_MS = 700

export function promptOf(n: number): string {
  return `explain chapter ${String(n).padStart(5, "0")}`
}

export function promptsIn(text: string): readonly string[] {
  return text.match(PROMPT) ?? []
}

/** Returns the prompts that the service has to act on: earlier work and contexts are quoted. */
export function unquotedPromptsIn(text: string): readonly string[] {
  return promptsIn(text.replaceAll(/^>.*$/gm, ""))
}

export function somebodyIn(channel: string, chance: Dice): string | undefined {
  const there = PLACES.filter((place) => place.channel === channel)
  return there[Math.floor(chance.between(0, there.length))]?.user
}

export function makeUp(n: number, chance: Dice): Request {
  return { ...chance.pick(PLACES), prompt: promptOf(n), accepted: false }
}

/** Repeats a command until the bot accepts it; Slack itself redelivers a mention's event. */
export async function ask(slack: LocalSlack, request: Request, chance: Dice): Promise<void> {
  const { user, channel, prompt } = request
  const words = `project=${PROJECTS[Math.floor(chance.between(0, PROJECTS.length))]} ${prompt}`
  if (chance.chance(0.3)) {
    await slack.as(user).mention(channel, words)
    return
  }
  while (!request.accepted) {
    const { shown, error } = await slack.as(user).slash(channel, "/docs-agent", words)
    request.accepted = !error && TAKEN.test(shown?.text ?? "")
    if (!request.accepted) await delay(AGAIN_MS)
  }
}
