import { seedOf, unit } from "../../kit/random.ts"
import type { Settings } from "../settings.ts"
import { type DayRange, dayFraction, utcDayOf } from "../visitors/utc-day.ts"
import { CANARIES } from "./canaries.ts"
import { SITE, TOPICS, type Topic } from "./topics.ts"
import { readUlid, ulidOf } from "./ulid.ts"

/** One turn of a talk with the docs' assistant, as the service tells it, with what it is about. */
export interface LocalConversation {
  readonly topic: string
  readonly body: {
    readonly id: string
    readonly conversationId: string
    readonly timestamp: string
    readonly query: string
    readonly response: string
    readonly responseType?: "answer" | "clarifying_question"
    readonly sources: readonly { readonly title: string; readonly url: string }[]
    readonly resolutionStatus: "answered" | "unanswered"
    readonly queryCategory: string | null
    readonly pageUrl: string | null
  }
}

const DAY_MS = 86_400_000

type Amount = Pick<Settings["analytics"], "conversationsPerDay">

/** Where a conversation stands: the n-th of its UTC day, counted from 0. */
interface Place {
  readonly day: number
  readonly n: number
}

/**
 * The conversations of a project, newest first: as many on each whole day, and today's so far. The
 * document shows no order.
 */
export class Conversations {
  readonly #seed: number
  readonly #perDay: number
  readonly #now: number

  constructor(projectId: string, { conversationsPerDay }: Amount, now: number) {
    this.#seed = seedOf(projectId)
    this.#perDay = conversationsPerDay
    this.#now = now
  }

  count(range: DayRange): number {
    const today = utcDayOf(this.#now)
    const closed = Math.max(0, Math.min(range.to, today) - range.from)
    const hasToday = range.from <= today && today < range.to
    return closed * this.#perDay + (hasToday ? this.#today() : 0)
  }

  /** Those after the one with the id `after`, or the newest; undefined when there is no such id. */
  page(range: DayRange, after: string | undefined, limit: number): LocalConversation[] | undefined {
    const first = after === undefined ? 0 : this.#indexAfter(range, after)
    if (first === undefined) return undefined
    const rows = Math.min(limit, this.count(range) - first)
    return Array.from({ length: Math.max(0, rows) }, (_, row) =>
      this.#conversation(this.#placeAt(range, first + row)),
    )
  }

  #today(): number {
    return Math.floor(this.#perDay * dayFraction(this.#now))
  }

  #indexAfter(range: DayRange, id: string): number | undefined {
    const read = readUlid(id)
    if (!read) return undefined
    const day = utcDayOf(read.ms)
    if (day < range.from || day >= range.to || read.n >= this.#perDay) return undefined
    const newer = this.count({ from: day + 1, to: Math.max(day + 1, range.to) })
    const ofDay = this.count({ from: day, to: day + 1 })
    return read.n < ofDay ? newer + ofDay - read.n : undefined
  }

  #placeAt(range: DayRange, index: number): Place {
    const today = utcDayOf(this.#now)
    const ofToday = range.from <= today && today < range.to ? this.#today() : 0
    if (index < ofToday) return { day: today, n: ofToday - 1 - index }
    const before = index - ofToday
    const newest = Math.min(range.to, today) - 1
    return {
      day: newest - Math.floor(before / this.#perDay),
      n: this.#perDay - 1 - (before % this.#perDay),
    }
  }

  #conversation({ day, n }: Place): LocalConversation {
    const luck = (what: number) => unit(this.#seed + what, day, n)
    const topic = topicAt(luck(21) * WEIGHT)
    const ms = day * DAY_MS + Math.floor(((n + 0.9 * luck(22)) / this.#perDay) * DAY_MS)
    const isAnswered = luck(23) < topic.answered
    const words = topic.words[Math.floor(luck(24) * topic.words.length)] ?? topic.name
    const id = ulidOf(ms, n)
    return {
      topic: topic.name,
      body: {
        id,
        conversationId: `conversation-${day}-${Math.floor(n / 2)}`,
        timestamp: new Date(ms).toISOString(),
        query: `${words}${personal(luck(25))}`,
        response: `${CANARIES.response}: ${isAnswered ? "see the page." : "I could not find that."}`,
        ...(luck(26) < 0.5 ? { responseType: "answer" as const } : {}),
        sources: isAnswered && topic.page ? [{ title: topic.name, url: SITE + topic.page }] : [],
        resolutionStatus: isAnswered ? "answered" : "unanswered",
        queryCategory: topic.category,
        pageUrl: topic.page === null ? null : `${SITE}${topic.page}${tracking(luck(27))}`,
      },
    }
  }
}

const WEIGHT = TOPICS.reduce((sum, { weight }) => sum + weight, 0)

function topicAt(weight: number): Topic {
  let left = weight
  const found = TOPICS.find((topic) => {
    left -= topic.weight
    return left < 0
  })
  if (!found) throw new Error("There are no topics to ask about")
  return found
}

/** Some people put into a question what nobody else should read. */
function personal(luck: number): string {
  if (luck < 0.04) return ` My address is ${CANARIES.email}`
  if (luck < 0.07) return ` (my key is ${CANARIES.token})`
  return luck < 0.09 ? ` card ${CANARIES.card}` : ""
}

function tracking(luck: number): string {
  return luck < 0.05 ? `?ref=${CANARIES.email}` : ""
}
