import type { Message } from "../../../src/slack/message-types.ts"

export const NOW = Date.UTC(2026, 10, 20, 20, 30)
export const PULL = "https://github.com/acme/docs/pull/214"
export const CARD = "https://acme.slack.com/archives/C0DOCS0001/p1"
export const WORDS = "fix the quickstart: it needs Node 20.19"
export const HOST = { gitHubHost: "github.com" }

/** Names something for each of these after it. */
export const each = <Of extends string, To = Message>(
  list: readonly Of[],
  before: string,
  of: (one: Of) => To,
): Record<string, To> => Object.fromEntries(list.map((one) => [`${before}${one}`, of(one)]))

/** Draws each of these facts under its name. */
export const drawn = <Facts>(draw: (facts: Facts) => Message, all: Record<string, Facts>) =>
  Object.fromEntries(Object.entries(all).map(([name, facts]) => [name, draw(facts)]))
