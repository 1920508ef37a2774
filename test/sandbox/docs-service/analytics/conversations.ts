import { seedOf, unit, weighted } from "../../kit/random.ts"
import type { Settings } from "../settings.ts"
import { DAY_MS, type DayRange, utcDayOf } from "../visitors/utc-day.ts"
import { CANARIES } from "./canaries.ts"

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

const SITE = "https://docs.acme.example"

const TOPICS = [
  topic("scim", "/guides/single-sign-on", "authentication", { weight: 9, answered: 0 }, [
    "How do I set up SCIM provisioning with Okta?",
    "how to set up scim provisioning with okta",
    "Set up SCIM provisioning for Okta users",
    "is there a guide to set up SCIM provisioning (Okta)?",
  ]),
  topic("webhook retries", "/guides/webhooks", "webhooks", { weight: 7, answered: 0.1 }, [
    "How many times are failed webhooks retried?",
    "how often are failed webhooks retried",
    "Are failed webhooks retried, and how many times?",
  ]),
  topic("proxy", "/installation", null, { weight: 5, answered: 0 }, [
    // Each tells who asks, so that what a report shows of them is always masked.
    `Can the CLI use a corporate proxy? Answer to ${CANARIES.email}`,
    `can the cli use a corporate proxy, i am ${CANARIES.email}`,
    `CLI behind corporate proxy, ${CANARIES.email}`,
  ]),
  topic("data residency", null, "compliance", { weight: 4, answered: 0 }, [
    "Is data stored in the EU?",
    "is our data stored in the EU",
    "Data stored in EU?",
  ]),
  topic("refunds", "/api-reference/invoices", "billing", { weight: 3, answered: 0 }, [
    "How do I refund an invoice with the API?",
    "refund an invoice with the api",
  ]),
  topic(
    "api keys",
    "/api-reference/authentication",
    "authentication",
    { weight: 14, answered: 0.97 },
    ["How do I rotate an API key?", "how to rotate api keys", "rotate an API key"],
  ),
  topic("install", "/installation", "setup", { weight: 12, answered: 0.95 }, [
    "Which Node version do I need?",
    "which node version is needed",
  ]),
  topic("rate limits", "/api-reference/rate-limits", "api", { weight: 11, answered: 0.98 }, [
    "What are the rate limits?",
    "rate limits?",
    "what is the rate limit per key",
  ]),
  topic("japanese", "/ja/はじめに/認証", null, { weight: 2, answered: 0.5 }, [
    "認証の方法を教えてください",
    "認証の方法を教えて",
  ]),
]

/** Returns a topic that readers ask the assistant about, with several wordings. */
function topic(
  name: string,
  page: string | null,
  category: string | null,
  shares: { readonly weight: number; readonly answered: number },
  words: readonly string[],
) {
  return { name, page, category, ...shares, words }
}
