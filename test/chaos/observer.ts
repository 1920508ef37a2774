import { isObject, stringIn } from "../sandbox/slack/json.ts"
import type { LocalSlack } from "../sandbox/slack/local-slack.ts"
import type { Message } from "../sandbox/slack/workspace/model.ts"
import type { Request } from "./people.ts"

/** What the people of the workspace can see about one request. */
export interface Told {
  cards: Message[]
  closings: Message[]
  /** When an ending was first told, ms. */
  at?: number
}

/** The card says that the request was taken back before it started. */
export function isCancelled({ cards }: Told): boolean {
  return cards.some(({ text }) => CANCELLED.test(text))
}

const PROMPT = /explain chapter \d{5}/
const CANCELLED = /Cancelled before it started/
const CANNOT_POST = /I can't post/

/** Watches the workspace from outside: who has been told what, and when that last was news. */
export class Observer {
  lastNewsAt = Date.now()
  readonly #slack: LocalSlack
  readonly #told = new Map<string, Told>()
  readonly #promptOf = new Map<string, string>()
  readonly #acknowledged = new Set<string>()
  /** Private words that a card could not be posted, by user. */
  readonly #cannotPost = new Map<string, number>()

  constructor(slack: LocalSlack) {
    this.#slack = slack
    slack.subscribe((change) => {
      if (change.type === "message_posted" || change.type === "message_edited")
        this.#see(change.message)
      else if (change.type === "ephemeral_shown") this.#seePrivate(change.message)
      else if (change.type === "delivered" && change.delivery.acknowledgement.ok) {
        const { event } = change.delivery.delivery.payload
        const text = isObject(event) ? stringIn(event, "text") : undefined
        const prompt = PROMPT.exec(text ?? "")?.[0]
        if (prompt) this.#acknowledged.add(prompt)
      }
    })
  }

  /** Did the bot acknowledge the event of this mention? */
  acknowledged(prompt: string): boolean {
    return this.#acknowledged.has(prompt)
  }

  told(prompt: string): Told {
    return this.#told.get(prompt) ?? { cards: [], closings: [] }
  }

  cannotPost(user: string): number {
    return this.#cannotPost.get(user) ?? 0
  }

  /** Clicks Cancel when the card of such a request appears. */
  cancelAtOnce(requests: ReadonlyMap<string, Request>): void {
    this.#slack.subscribe((change) => {
      if (change.type !== "message_posted") return
      const request = requests.get(PROMPT.exec(JSON.stringify(change.message.blocks))?.[0] ?? "")
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
      return
    }
    if (is.part === "card") {
      const prompt = PROMPT.exec(JSON.stringify(message.blocks))?.[0]
      if (!prompt) return
      this.#promptOf.set(is.job, prompt)
      const told = this.#of(prompt)
      const earlier = told.cards.findIndex(({ ts }) => ts === message.ts)
      told.cards.splice(earlier < 0 ? told.cards.length : earlier, 1, message)
      if (CANCELLED.test(message.text)) this.#news(told)
      return
    }
    const told = this.#of(this.#promptOf.get(is.job) ?? is.job)
    if (told.closings.some(({ ts }) => ts === message.ts)) return
    told.closings.push(message)
    this.#news(told)
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
    const told: Told = { cards: [], closings: [] }
    this.#told.set(prompt, told)
    return told
  }
}

/** Our own messages say what they are, for the bot that looks them up. */
function partOf({ metadata }: Message): { job: string; part: string } | undefined {
  const payload = metadata?.event_payload
  if (!isObject(payload)) return undefined
  const [job, part] = [stringIn(payload, "job"), stringIn(payload, "part")]
  return job && part ? { job, part } : undefined
}
