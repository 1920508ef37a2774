import fc from "fast-check"
import { rangeWords } from "../../src/visitors/report-buttons.ts"
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
  "> ",
  "a ",
  "1 ",
  "é1",
  "word-",
  "認",
  "[email]",
  "a@b.",
  "/x",
  "%41",
] as const

const DATES = "2026-11-01 2026-11-31 0000-01-01 9999-12-31 1000-01-01 20261101 .. ... …"
const LENGTHS = "0d 7D 007d 999999d -1d"
const WORDS =
  'to at 9:05 24:00 by people ai /guides * " “ help subscribe unsubscribe subscriptions daily weekly'

/** Parts of what people type after `/docs-visitors`. */
export const TYPED = [
  ...rangeWords,
  " ",
  "\t",
  "\u00a0",
  ...`${DATES} ${LENGTHS} ${WORDS}`.split(" "),
]

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
