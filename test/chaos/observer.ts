import { isObject, stringIn } from "../sandbox/slack/json.ts"
import type { LocalSlack } from "../sandbox/slack/local-slack.ts"
import type { Message } from "../sandbox/slack/workspace/model.ts"
import type { Request } from "./people.ts"
import { promptIn } from "./words.ts"

/** What the people of the workspace can see about one request. */
export interface Told {
  cards: Message[]
  closings: Message[]
  reminders: Message[]
  /** When an ending was first told, ms. */
  at?: number
}

/** The card says that the request was taken back before it started. */
export function isCancelled({ cards }: Told): boolean {
  return cards.some(({ text }) => CANCELLED.test(text))
}

const CANCELLED = /Cancelled before it started/
const ANNOUNCED = /^Docs visitors,|subscribed this channel/
const CANNOT_POST = /I can't post/

/** Watches the workspace from outside: who has been told what, and when that last was news. */
export class Observer {
  lastNewsAt = Date.now()
  /** Posts outside of direct messages that nobody expects, by timestamp. */
  readonly unannounced = new Map<string, string>()
  readonly #slack: LocalSlack
  readonly #told = new Map<string, Told>()
  readonly #promptOf = new Map<string, string>()
  readonly #acknowledged = new Set<string>()
  #onEnding = (_prompt: string, _reply: Message) => {}
  /** Private words that a card could not be posted, by user. */
  readonly #cannotPost = new Map<string, number>()

  constructor(slack: LocalSlack) {
    this.#slack = slack
    slack.subscribe((change) => {
      if (change.type === "message_posted" || change.type === "message_edited")
        this.#see(change.message)
      else if (change.type === "ephemeral_shown") this.#seePrivate(change.message)
      else if (change.type === "session_changed") this.lastNewsAt = Date.now()
      else if (change.type === "delivered" && change.delivery.acknowledgement.ok) {
        const { event } = change.delivery.delivery.payload
        const text = isObject(event) ? stringIn(event, "text") : undefined
        const prompt = promptIn(text)
        if (prompt) this.#acknowledged.add(prompt)
      }
    })
  }

  /** Did the bot acknowledge the event of this mention? */
  acknowledged(prompt: string): boolean {
    return this.#acknowledged.has(prompt)
  }

  /** Calls back when a closing reply is posted, the first of a request. */
  onEnding(listener: (prompt: string, reply: Message) => void): void {
    this.#onEnding = listener
  }

  /** Does every closing reply offer a first preview? */
  canBuild(prompt: string): boolean {
    const { closings } = this.told(prompt)
    return closings.every(({ blocks }) => JSON.stringify(blocks).includes("Build preview"))
  }

  told(prompt: string): Told {
    return this.#told.get(prompt) ?? { cards: [], closings: [], reminders: [] }
  }

  cannotPost(user: string): number {
    return this.#cannotPost.get(user) ?? 0
  }

  /** Clicks Cancel when the card of such a request appears. */
  cancelAtOnce(requests: ReadonlyMap<string, Request>): void {
    this.#slack.subscribe((change) => {
      if (change.type !== "message_posted") return
      const request = requests.get(promptIn(change.message.text) ?? "")
      if (!request?.cancels || partOf(change.message)?.part !== "card") return
      const person = this.#slack.as(request.user)
      // The button is gone when the job started meanwhile.
      void person.click(change.message, "cancel").catch(() => {})
    })
  }

  #see(message: Message): void {
    const is = partOf(message)
    if (!is) {
      if (message.botId && CANNOT_POST.test(message.text)) this.#seePrivate(message)
      else if (message.botId && !isAnnounced(message))
        this.unannounced.set(message.ts, message.text)
      return
    }
    if (is.part === "card") this.#seeCard(is.job, message)
    else this.#seeReply(is.part, this.#promptOf.get(is.job) ?? is.job, message)
  }

  #seeCard(job: string, message: Message): void {
    const prompt = promptIn(message.text)
    if (!prompt) return
    this.#promptOf.set(job, prompt)
    const told = this.#of(prompt)
    keep(told.cards, message)
    if (CANCELLED.test(message.text)) this.#news(told)
  }

  #seeReply(part: string, prompt: string, message: Message): void {
    const told = this.#of(prompt)
    const isFirst = keep(part === "reminder" ? told.reminders : told.closings, message)
    this.#news(told)
    if (isFirst && part !== "reminder" && told.closings.length === 1)
      this.#onEnding(prompt, message)
  }

  #news(told: Told): void {
    this.lastNewsAt = Date.now()
    told.at ??= this.lastNewsAt
  }

  #seePrivate({ text, channel, visibleTo, user: bot }: Message): void {
    if (!CANNOT_POST.test(text)) return
    const place = this.#slack.channels().find(({ id }) => id === channel)
    const user = visibleTo ?? [...(place?.members ?? [])].find((member) => member !== bot)
    if (user) this.#cannotPost.set(user, this.cannotPost(user) + 1)
    this.lastNewsAt = Date.now()
  }

  #of(prompt: string): Told {
    const known = this.#told.get(prompt)
    if (known) return known
    const told: Told = { cards: [], closings: [], reminders: [] }
    this.#told.set(prompt, told)
    return told
  }
}

/** The latest state of each message. @returns is it a new one? */
function keep(messages: Message[], message: Message): boolean {
  const earlier = messages.findIndex(({ ts }) => ts === message.ts)
  messages.splice(earlier < 0 ? messages.length : earlier, 1, message)
  return earlier < 0
}

/** What the bot posts that is about no request: digests, and what it says to one person. */
function isAnnounced({ channel, text }: Message): boolean {
  return channel.startsWith("D") || ANNOUNCED.test(text)
}

/** Our own messages say what they are, for the bot that looks them up. */
function partOf({ metadata }: Message): { job: string; part: string } | undefined {
  const payload = metadata?.event_payload
  if (!isObject(payload)) return undefined
  const [job, part] = [stringIn(payload, "job"), stringIn(payload, "part")]
  return job && part ? { job, part } : undefined
}
