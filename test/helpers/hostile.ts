import fc from "fast-check"
import { anyText } from "./property.ts"

/** Fragments with a meaning to Slack, to the bot's parsers or to a terminal. */
export const FRAGMENTS = [
  "<!channel>",
  "<!here|here>",
  "<!subteam^S0EDITORS>",
  "<!date^1^{date}|now>",
  "<@U0BEN00001>",
  "<@U0BEN00001|",
  "<#C0DOCS0001|docs>",
  "<https://evil.example|https://good.example>",
  "<mailto:x@y>",
  "&lt;!channel&gt;",
  "&amp;lt;",
  "@here",
  "@channel",
  "@everyone",
  "<",
  ">",
  "&",
  "|",
  "`",
  "```",
  "*",
  "~",
  "\n",
  "\r\n",
  "\r",
  "\v",
  "\f",
  "\u0085",
  "\u2028",
  "\u2029",
  "\t",
  "\u0000",
  "\u0007\u001b[31m",
  "\u202e",
  "\u2066",
  "\u200b",
  "\ud800",
  "👩‍💻",
  "\ufdfa",
  "é",
  "a",
  " ",
  "cancel",
  "help",
  "__proto__",
  "%s",
  "../",
] as const

/** Generates text as an attacker might send it, sometimes very long. */
export const hostileText = fc.oneof(
  { weight: 6, arbitrary: fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 40 }).map(join) },
  { weight: 2, arbitrary: anyText(60) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...FRAGMENTS), fc.integer({ min: 100, max: 40_000 }))
      .map(([fragment, n]) => fragment.repeat(Math.ceil(n / fragment.length)).slice(0, n)),
  },
)

function join(fragments: readonly string[]): string {
  return fragments.join("")
}
