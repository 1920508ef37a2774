import { seedOf, unit, weighted } from "../../kit/random.ts"
import type { Settings } from "../settings.ts"
import { DAY_MS, type DayRange, utcDayOf } from "../visitors/utc-day.ts"
import { CANARIES } from "./canaries.ts"
import { SITE, TOPICS } from "./topics.ts"

/**
 * Returns a project's conversations, newest first (the document shows no order): the same number on
 * each whole day, and today's so far.
 */
export function conversationsOf(
  projectId: string,
  { conversationsPerDay: perDay }: Pick<Settings["analytics"], "conversationsPerDay">,
  range: DayRange,
  now: number,
) {
  const seed = seedOf(projectId)
  const found: ReturnType<typeof conversation>[] = []
  for (let day = Math.min(range.to - 1, utcDayOf(now)); day >= range.from; day--) {
    const count = Math.floor(perDay * Math.min(1, now / DAY_MS - day))
    for (let n = count - 1; n >= 0; n--) found.push(conversation(seed, perDay, day, n))
  }
  return found
}

/**
 * Returns the n-th turn of conversations with the docs assistant on a UTC day, counted from 0: as the
 * service returns it, and its topic.
 */
function conversation(seed: number, perDay: number, day: number, n: number) {
  const luck = (what: number) => unit(seed + what, day, n)
  const topic = weighted(TOPICS, ({ weight }) => weight, luck(21))
  const ms = day * DAY_MS + Math.floor(((n + 0.9 * luck(22)) / perDay) * DAY_MS)
  const isAnswered = luck(23) < topic.answered
  const words = topic.words[Math.floor(luck(24) * topic.words.length)] ?? topic.name
  return {
    topic: topic.name,
    body: {
      id: `turn-${day}-${n}`,
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

/** Returns personal data for some of the questions, as real readers sometimes include it. */
function personal(luck: number): string {
  if (luck < 0.04) return ` My address is ${CANARIES.email}`
  if (luck < 0.07) return ` (my key is ${CANARIES.token})`
  return luck < 0.09 ? ` card ${CANARIES.card}` : ""
}

function tracking(luck: number): string {
  return luck < 0.05 ? `?ref=${CANARIES.email}` : ""
}
