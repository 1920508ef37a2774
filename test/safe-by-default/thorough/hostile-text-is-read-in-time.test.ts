import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { composeCreation } from "../../../src/asking/agent-prompt.ts"
import { readWords } from "../../../src/asking/parse-typed-text.ts"
import { quoteThread, readAttached } from "../../../src/asking/quoted-messages-and-files.ts"
import { hashOfRequest } from "../../../src/asking/same-request.ts"
import type { Job } from "../../../src/jobs/job.ts"
import { quoteLines } from "../../../src/lib/mark-quotes.ts"
import { mentionedUsers, toPlainText, withoutMention } from "../../../src/lib/plain-text.ts"
import { jobCard } from "../../../src/messages/card.ts"
import { resultReply } from "../../../src/messages/closing-reply.ts"
import { foreignLine, link, plainLine } from "../../../src/messages/mrkdwn.ts"
import { safeUrl } from "../../../src/messages/pull-request-words.ts"
import { wordsOf } from "../../../src/slack/block-text.ts"
import { namesOf } from "../../../src/slack/profiles.ts"
import { parseCommand } from "../../../src/visitors/parse-command.ts"
import { FRAGMENTS, hostileText } from "../../helpers/hostile.ts"
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

const WHERE = { gitHubHost: "github.com", admins: ["U0CLEO0001"] }
const cardOf = (job: Job, words: string, project?: string) =>
  jobCard({ job, words, roundWords: words, name: words, project, now: 9_000, ...WHERE })

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

/** Limit in ms: people notice longer stalls, and Slack waits 3 s for everybody's requests. */
const STALL_MS = 200
const LONG = 40_000

const READERS: Record<string, (text: string) => unknown> = {
  mentionedUsers,
  toPlainText: (text) => toPlainText(text, new Map()),
  withoutMention: (text) => withoutMention(text, "U0BEN00001"),
  command: (text) => readWords(text, "command"),
  thread: (text) => readWords(text, "thread"),
  mention: (text) => readWords(text, "mention"),
  foreignLine: (text) => foreignLine(text, LONG),
  plainLine: (text) => plainLine(text, LONG),
  hashOfRequest: (text) => hashOfRequest({ project: "p", user: "u", prompt: { words: text } }),
  quoteThread: (text) =>
    quoteThread([{ speaker: text, text, files: [{ id: "F1", name: text, type: text }] }]),
  card: (text) => cardOf(aJob({ prLink: text, detail: text }), text),
  result: (text) =>
    resultReply({
      job: aJob({ state: "ended", ending: "refused", detail: text, prLink: text }),
      users: [],
      ...WHERE,
    }),
  visitors: (text) => parseCommand(text, "docs-site", "2026-11-20"),
}

test.each(Object.keys(READERS))("40,000 characters of anything stall nobody: %s", (name) => {
  const read = READERS[name]
  const slow: string[] = []
  for (const fragment of FRAGMENTS)
    for (const head of ["", "cancel ", "use ", "subscribe "]) {
      const text = (head + fragment.repeat(LONG)).slice(0, LONG)
      // A slow reader is slow each time, but delays by other processes don't repeat.
      let ms = Number.POSITIVE_INFINITY
      for (let turn = 0; turn < 3 && ms > STALL_MS; turn += 1) {
        const began = performance.now()
        read?.(`${text}!`)
        ms = Math.min(ms, performance.now() - began)
      }
      if (ms > STALL_MS) slow.push(`${head}${fragment}: ${Math.round(ms)} ms`)
    }
  expect(slow).toEqual([])
})

test("attachments with thousands of fields are read in time", () => {
  const fields = Array.from({ length: 5000 }, (_, n) => ({ title: `field ${n}`, value: `${n}` }))
  const attachments = Array.from({ length: 20 }, (_, n) => ({ text: `part ${n}`, fields }))
  const began = performance.now()
  expect(wordsOf({ text: "see", attachments })).toContain("field 0: 0")
  expect(performance.now() - began).toBeLessThan(1000)
})
