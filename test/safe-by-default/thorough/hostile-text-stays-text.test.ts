import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { composeCreation } from "../../../src/asking/agent-prompt.ts"
import { readWords } from "../../../src/asking/parse-typed-text.ts"
import { quoteThread, readAttached } from "../../../src/asking/quoted-messages-and-files.ts"
import { quoteLines } from "../../../src/lib/mark-quotes.ts"
import { mentionedUsers } from "../../../src/lib/plain-text.ts"
import { foreignLine, link } from "../../../src/messages/mrkdwn.ts"
import { safeUrl } from "../../../src/messages/pull-request-words.ts"
import { namesOf } from "../../../src/slack/profiles.ts"
import { hostileText } from "../../helpers/hostile.ts"
import { aJob, anAsk } from "../../helpers/job.ts"
import { liveTokens } from "../../helpers/live-tokens.ts"
import { holds } from "../../helpers/property.ts"

const RUNS = 400

/** Generates links that a service might report, not all of them web addresses. */
const hostileLink = fc.oneof(
  hostileText,
  hostileText.map((text) => `https://git.example/${text}`),
  hostileText.map((text) => `https://git.example/?q=${text}#${text}`),
  hostileText.map((text) => `https://${text}@git.example/a/b/pull/1`),
  // Around the length that Slack accepts, before and after encoding.
  fc
    .tuple(fc.constantFrom("a", "é", "&", "|"), fc.integer({ min: 200, max: 3100 }))
    .map(([char, n]) => `https://git.example/?${char.repeat(n)}`),
)

describe("nothing foreign comes alive in Slack", () => {
  test("escaped text", async () => {
    await holds(
      fc.property(hostileText, (text) => {
        expect(liveTokens({ type: "mrkdwn", text: foreignLine(text, 3000) })).toEqual([])
        expect(foreignLine(text, 300)).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u)
      }),
      RUNS,
    )
  })

  test("links", async () => {
    await holds(
      fc.property(hostileLink, hostileText, (url, label) => {
        const safe = safeUrl(url)
        if (safe) expect(liveTokens({ type: "mrkdwn", text: link(safe, label) })).toEqual([])
      }),
      RUNS,
    )
  })
})

/** Mandatory line breaks in Unicode (UAX #14: BK, CR, LF, NL). */
const LINE_END = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/

describe("what people type is read as typed, whatever it is", () => {
  test("words are blank, known, or a prompt that keeps them", async () => {
    await holds(
      fc.property(hostileText, (text) => {
        for (const place of ["command", "mention", "thread"] as const) {
          const words = readWords(text, place)
          if (words.kind === "prompt") expect(words.words).toBe(text.trim())
        }
      }),
      RUNS,
    )
  })

  test("quoted talk stays quoted: every line is marked", async () => {
    await holds(
      fc.property(hostileText, hostileText, (speaker, text) => {
        const quoted = quoteThread([{ speaker, text, files: [{ id: "F1", name: text }] }])
        const [, ...lines] = quoted?.split(LINE_END) ?? []
        for (const line of lines) expect(line).toMatch(/^> /)
        const before = aJob({ asks: [anAsk()], prLink: text })
        const prompts = { ask1: { words: text, context: quoteLines(text), speaker } }
        const now = aJob({ asks: [anAsk({ id: "ask2" })] })
        const whole = composeCreation(now, { ask2: { words: "" } }, [{ job: before, prompts }])
        const earlier = whole.split(LINE_END).slice(1)
        for (const line of earlier) expect(line).toMatch(/^(> |$|Its pull request: [^\s]+$)/)
      }),
      RUNS,
    )
  })

  test("a file stays quoted, whatever it is called and whatever is in it", async () => {
    await holds(
      fc.asyncProperty(hostileText, hostileText, async (name, text) => {
        const file = { id: "F1", name, type: text }
        const read = async () => ({ file, text })
        const { quoted } = await readAttached([file, file], read, 100_000)
        const [, ...lines] = quoted.split(LINE_END)
        for (const line of lines) expect(line).toMatch(/^(> |$)/)
      }),
      RUNS,
    )
  })
})

test("a text full of mentions asks Slack about some of them, not about thousands", async () => {
  const asked: string[] = []
  const person = { isGuest: false, isStranger: false, isBot: false, timeZone: "" }
  const profileOf = async (user: string) => {
    asked.push(user)
    return { ...person, user, name: user }
  }
  const text = Array.from({ length: 3000 }, (_, n) => `<@U${n}>`).join(" ")
  const names = await namesOf(mentionedUsers(text), profileOf)
  expect(asked.length).toBeLessThanOrEqual(50)
  expect(names.get("U0")).toBe("U0")
})
