import { setTimeout as delay } from "node:timers/promises"
import type { Dice } from "../kit/dice.ts"
import type { LocalSlack } from "../sandbox/slack/local-slack.ts"
import {
  ADA,
  ADA_DM,
  BEN,
  BEN_DM,
  CLEO,
  DOCS,
  EDITORS,
  RANDOM,
  SHARED,
} from "../sandbox/slack/seed/ids.ts"
import { PROJECTS } from "./timing.ts"

export interface Request {
  readonly prompt: string
  readonly user: string
  readonly channel: string
  readonly by: "command" | "mention"
  /** Clicks Cancel as soon as the card is there. */
  readonly cancels: boolean
  /** Did the bot say that it has it? For a mention: was its event acknowledged? */
  accepted: boolean
  /** Times that it was typed. */
  typed: number
}

const PLACES: readonly [Place, ...Place[]] = [
  { user: ADA, channel: DOCS },
  { user: BEN, channel: DOCS },
  { user: CLEO, channel: DOCS },
  { user: ADA, channel: EDITORS },
  { user: CLEO, channel: EDITORS },
  { user: ADA, channel: SHARED },
  { user: BEN, channel: SHARED },
  { user: ADA, channel: ADA_DM },
  { user: BEN, channel: BEN_DM },
]
/** The bot is not in there: the card cannot be posted. */
const CLOSED: readonly [Place, ...Place[]] = [
  { user: ADA, channel: RANDOM },
  { user: BEN, channel: RANDOM },
  { user: CLEO, channel: RANDOM },
]
type Place = Pick<Request, "user" | "channel">

/** Nothing is said about a request that is in: its card appears. */
const TAKEN = /^$|You made this request/
/** Somebody types a command again that failed, ms. */
const AGAIN_MS = 700
const MOST_TRIES = 60

/** Who the bot is told about once, before anything can go wrong. */
export async function introduce(slack: LocalSlack): Promise<void> {
  for (const user of [ADA, BEN, CLEO]) await slack.as(user).slash(DOCS, "/docs-agent", "status")
}

/** The n-th request, by chance. */
export function makeUp(n: number, dice: Dice): Request {
  const closed = dice.chance(0.03)
  const place = dice.pick(closed ? CLOSED : PLACES)
  const mentions = !closed && !place.channel.startsWith("D") && dice.chance(0.3)
  return {
    ...place,
    prompt: promptOf(n),
    by: mentions ? "mention" : "command",
    cancels: !closed && dice.chance(0.08),
    accepted: false,
    typed: 0,
  }
}

/** One that is typed as a command where the bot may post, and is not taken back. */
export function makeUpPlain(n: number, dice: Dice): Request {
  const place = dice.pick(PLACES)
  const plain = { by: "command", cancels: false, accepted: false, typed: 0 } as const
  return { ...place, ...plain, prompt: promptOf(n) }
}

function promptOf(n: number): string {
  return `explain chapter ${String(n).padStart(5, "0")}`
}

/** Types it until the bot has it; Slack itself repeats the event of a mention. */
export async function ask(slack: LocalSlack, request: Request, dice: Dice): Promise<void> {
  const { user, channel, prompt } = request
  const person = slack.as(user)
  const words = `project=${dice.pick([PROJECTS[0] ?? "", ...PROJECTS.slice(1)])} ${prompt}`
  if (request.by === "mention") {
    request.typed = 1
    await person.mention(channel, words)
    return
  }
  while (!request.accepted && request.typed < MOST_TRIES) {
    request.typed += 1
    const { shown } = await person.slash(channel, "/docs-agent", words)
    request.accepted = TAKEN.test(shown?.text ?? "")
    if (!request.accepted) await delay(AGAIN_MS)
  }
}
