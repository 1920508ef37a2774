import { CANARIES } from "./canaries.ts"

/** Topic that readers ask the assistant about, with several wordings. */
export interface Topic {
  readonly name: string
  readonly words: readonly string[]
  readonly page: string | null
  readonly category: string | null
  readonly weight: number
  readonly answered: number
}

export const SITE = "https://docs.acme.example"

export const TOPICS: readonly Topic[] = [
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

function topic(
  name: string,
  page: string | null,
  category: string | null,
  shares: Pick<Topic, "weight" | "answered">,
  words: readonly string[],
): Topic {
  return { name, page, category, ...shares, words }
}
