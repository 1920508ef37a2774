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
  {
    name: "scim",
    words: [
      "How do I set up SCIM provisioning with Okta?",
      "how to set up scim provisioning with okta",
      "Set up SCIM provisioning for Okta users",
      "is there a guide to set up SCIM provisioning (Okta)?",
    ],
    page: "/guides/single-sign-on",
    category: "authentication",
    weight: 9,
    answered: 0,
  },
  {
    name: "webhook retries",
    words: [
      "How many times are failed webhooks retried?",
      "how often are failed webhooks retried",
      "Are failed webhooks retried, and how many times?",
    ],
    page: "/guides/webhooks",
    category: "webhooks",
    weight: 7,
    answered: 0.1,
  },
  {
    name: "proxy",
    words: [
      "Can the CLI use a corporate proxy?",
      "can the cli use a corporate proxy",
      "CLI behind corporate proxy",
    ],
    page: "/installation",
    category: null,
    weight: 5,
    answered: 0,
  },
  {
    name: "data residency",
    words: ["Is data stored in the EU?", "is our data stored in the EU", "Data stored in EU?"],
    page: null,
    category: "compliance",
    weight: 4,
    answered: 0,
  },
  {
    name: "refunds",
    words: ["How do I refund an invoice with the API?", "refund an invoice with the api"],
    page: "/api-reference/invoices",
    category: "billing",
    weight: 3,
    answered: 0,
  },
  {
    name: "api keys",
    words: ["How do I rotate an API key?", "how to rotate api keys", "rotate an API key"],
    page: "/api-reference/authentication",
    category: "authentication",
    weight: 14,
    answered: 0.97,
  },
  {
    name: "install",
    words: ["Which Node version do I need?", "which node version is needed"],
    page: "/installation",
    category: "setup",
    weight: 12,
    answered: 0.95,
  },
  {
    name: "rate limits",
    words: ["What are the rate limits?", "rate limits?", "what is the rate limit per key"],
    page: "/api-reference/rate-limits",
    category: "api",
    weight: 11,
    answered: 0.98,
  },
  {
    name: "japanese",
    words: ["認証の方法を教えてください", "認証の方法を教えて"],
    page: "/ja/はじめに/認証",
    category: null,
    weight: 2,
    answered: 0.5,
  },
]
