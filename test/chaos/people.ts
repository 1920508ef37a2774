import { setTimeout as delay } from "node:timers/promises"
import type { Dice } from "../helpers/dice.ts"
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
import { type After, makeUpAfter, NOTHING } from "./after.ts"
import { PROJECTS } from "./timing.ts"
import { promptOf, REFUSED } from "./words.ts"

export interface Request {
  readonly prompt: string
  readonly user: string
  readonly channel: string
  readonly by: "command" | "mention"
  /** That of the request it follows up. */
  readonly thread?: string | undefined
  readonly after: After
  /** Clicks Cancel as soon as the card is there. */
  readonly cancels: boolean
  /** Did the bot say that it has it? For a mention: was its event acknowledged? */
  accepted: boolean
  /** Times that it was typed. */
  typed: number
  /** A press of "Build preview" was acknowledged. */
  pressed?: boolean
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
/** Taken, and to be answered later. */
const TO_BE_ANSWERED = /Slack is slow right now/
/** Who is told nothing for so long lost a request that was taken, ms: a lease ends, processes start. */
const QUIET_MS = 30_000
/** Somebody types a command again that failed, ms. */
const AGAIN_MS = 700
const MOST_TRIES = 60
/** What follows up the n-th request is called so much later. */
const FOLLOW_UPS = 50_000

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
    // In a direct message nobody mentions the bot.
    after: makeUpAfter(dice, place.channel.startsWith("D") ? undefined : promptOf(FOLLOW_UPS + n)),
    accepted: false,
    typed: 0,
  }
}

/** One that is typed as a command where the bot may post, and is not taken back. */
export function makeUpPlain(n: number, dice: Dice): Request {
  const place = dice.pick(PLACES)
  const plain = {
    by: "command",
    cancels: false,
    after: NOTHING,
    accepted: false,
    typed: 0,
  } as const
  return { ...place, ...plain, prompt: promptOf(n) }
}

/** Types it until the bot has it; Slack itself repeats the event of a mention. */
export async function ask(slack: LocalSlack, request: Request, dice: Dice): Promise<void> {
  const { user, channel, prompt } = request
  const person = slack.as(user)
  const words = `project=${dice.pick([PROJECTS[0] ?? "", ...PROJECTS.slice(1)])} ${prompt}`
  if (request.by === "mention") {
    request.typed = 1
    if (request.thread) await person.mention(channel, prompt, { thread: request.thread })
    else await person.mention(channel, words)
    return
  }
  while (!request.accepted && request.typed < MOST_TRIES) {
    request.typed += 1
    const later = answersTo(slack, request)
    const { shown, error } = await person.slash(channel, "/docs-agent", words)
    const text = shown?.text ?? ""
    // In a direct message nothing is shown with the acknowledgement, as that would be ephemeral.
    const comes = !error && (TO_BE_ANSWERED.test(text) || channel.startsWith("D"))
    request.accepted = comes ? await later.isTaken() : TAKEN.test(text)
    later.end()
    if (!request.accepted) await delay(AGAIN_MS)
  }
}

/** What is said after an acknowledgement: the card, or privately that it was not done after all. */
function answersTo(slack: LocalSlack, { user, channel, prompt }: Request) {
  const quiet = new AbortController()
  let resolve = (_taken: boolean) => {}
  const promise = new Promise<boolean>((is) => {
    resolve = is
  })
  const end = slack.subscribe((change) => {
    if (change.type !== "message_posted" && change.type !== "ephemeral_shown") return
    const { message } = change
    if (message.channel !== channel || (message.visibleTo ?? user) !== user) return
    if (JSON.stringify(message.blocks).includes(prompt)) resolve(true)
    else if (REFUSED.test(message.text)) resolve(false)
  })
  return {
    isTaken: () =>
      Promise.race([promise, delay(QUIET_MS, true, { signal: quiet.signal }).catch(() => true)]),
    end() {
      end()
      quiet.abort()
    },
  }
}
