import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { namesIn } from "../../src/handlers/names.ts"
import { readCommand, readMention, readThread } from "../../src/handlers/parse-command.ts"
import { parseCommand } from "../../src/handlers/visitors/parse-command.ts"
import { readAttached } from "../../src/jobs/attached.ts"
import { quoteEarlierWork } from "../../src/jobs/earlier-work.ts"
import { type Ending, endings, type Job } from "../../src/jobs/job.ts"
import { quoteTalk } from "../../src/jobs/talk.ts"
import { fingerprint } from "../../src/redis/queue/enqueue.ts"
import { mentionedUsers, toPlainText, withoutMention } from "../../src/text/plain-text.ts"
import { adminNotice } from "../../src/views/admin-notice.ts"
import { jobCard } from "../../src/views/card.ts"
import { closingReply } from "../../src/views/endings.ts"
import { homeView } from "../../src/views/home.ts"
import { askModal } from "../../src/views/modal.ts"
import { foreign, foreignLine, link, plainLine } from "../../src/views/mrkdwn.ts"
import { quotaMessage, statusMessage } from "../../src/views/overview.ts"
import { cannotPost } from "../../src/views/post-refusals.ts"
import { safeUrl } from "../../src/views/pull-request.ts"
import { duplicateMessage, refusedMessage } from "../../src/views/request-messages.ts"
import { matches } from "../../src/visitors/filter.ts"
import { checkMessage } from "../helpers/block-kit.ts"
import { FRAGMENTS, hostileText } from "../helpers/hostile.ts"
import { aJob } from "../helpers/job.ts"
import { liveTokens } from "../helpers/live-tokens.ts"
import { holds } from "../helpers/property.ts"

const RUNS = 400

/** A link as a service might report it, web address or not. */
const hostileLink = fc.oneof(
  hostileText,
  hostileText.map((text) => `https://git.example/${text}`),
  hostileText.map((text) => `https://git.example/?q=${text}#${text}`),
  hostileText.map((text) => `https://${text}@git.example/a/b/pull/1`),
  // Just about as long as Slack takes, before and after what encoding makes of it.
  fc
    .tuple(fc.constantFrom("a", "é", "&", "|"), fc.integer({ min: 200, max: 3100 }))
    .map(([char, n]) => `https://git.example/?${char.repeat(n)}`),
)

const hostileJob: fc.Arbitrary<Job & { ending: Ending }> = fc
  .record({
    state: fc.constantFrom("queued", "creating", "active", "ended" as const),
    ending: fc.constantFrom(...endings),
    prLink: hostileLink,
    detail: hostileText,
    note: hostileText,
    project: hostileText,
  })
  .map((facts) => ({ ...aJob({ card: "1.1" }), ...facts }))

/** "\ud800" alone, which no UTF-8 can say (RFC 8259, 8.2), as JSON writes it. */
function halves(payload: unknown): string[] {
  return JSON.stringify(payload).match(/\\ud[89a-f][0-9a-f]{2}/gi) ?? []
}

describe("nothing foreign comes alive in Slack, and Slack takes whatever is made of it", () => {
  test("escaped text", async () => {
    await holds(
      fc.property(hostileText, (text) => {
        expect(liveTokens({ type: "mrkdwn", text: foreign(text, 3000) })).toEqual([])
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

  test("cards and closing replies", async () => {
    const place = { place: 1, startsAt: 0, soon: false, paused: "" }
    await holds(
      fc.property(hostileJob, hostileText, (job, words) => {
        const card = jobCard(job, { words }, place, ["docs-site", "api-site"])
        const closing = closingReply(job)
        for (const message of [card, closing, cannotPost(job, job.detail ?? "")]) {
          expect(liveTokens(message)).toEqual([])
          expect(checkMessage(message)).toEqual([])
          expect(halves(message)).toEqual([])
        }
      }),
      RUNS,
    )
  })

  test("private answers", async () => {
    await holds(
      fc.property(hostileJob, hostileText, (job, words) => {
        const quota = { used: 1, ceiling: 99, left: 98, reserved: 5, waiting: 1 }
        const overview = {
          now: 0,
          jobs: [{ job, words }],
          more: 0,
          quotas: [
            { project: job.project, quota },
            { project: words, quota },
          ],
          gitHubHost: "github.com",
        }
        const messages = [
          statusMessage(overview),
          quotaMessage(overview),
          duplicateMessage(undefined, words.slice(0, 2000)),
          refusedMessage("user", words, ["U0CLEO0001"]),
          adminNotice({ project: job.project, kind: "key_refused", since: 0 }),
        ]
        for (const message of messages) {
          expect(liveTokens(message)).toEqual([])
          expect(checkMessage(message)).toEqual([])
        }
        expect(halves([statusMessage(overview), quotaMessage(overview)])).toEqual([])
        expect(liveTokens(homeView(overview, { isAdmin: true }))).toEqual([])
        const quoted = { draft: "d", quoted: words, project: "a", projects: [words] }
        expect(liveTokens(askModal(quoted))).toEqual([])
        const filled = { draft: "d", initial: words, project: "a", projects: ["a"] }
        expect(halves(askModal(filled))).toEqual([])
      }),
      RUNS,
    )
  })
})

/** Where Unicode demands a new line (UAX #14: BK, CR, LF, NL). */
const LINE_END = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/

describe("what people type is read as typed, whatever it is", () => {
  test("words are blank, known, too long, or a prompt that keeps them", async () => {
    await holds(
      fc.property(hostileText, (text) => {
        for (const read of [readCommand, readMention, readThread]) {
          const words = read(text)
          if (words.kind === "prompt") expect(words.words).toBe(text.trim())
        }
      }),
      RUNS,
    )
  })

  test("quoted talk stays quoted: every line is marked", async () => {
    await holds(
      fc.property(hostileText, hostileText, (speaker, text) => {
        const quoted = quoteTalk([{ speaker, text, files: [{ id: "F1", name: text }] }])
        const [, ...lines] = quoted?.split(LINE_END) ?? []
        for (const line of lines) expect(line).toMatch(/^> /)
        const requests = [{ words: text, context: text }]
        const earlier = quoteEarlierWork({ requests }).split(LINE_END).slice(1)
        for (const line of earlier) expect(line).toMatch(/^> /)
      }),
      RUNS,
    )
  })

  test("so does a file, whatever it is called and whatever is in it", async () => {
    await holds(
      fc.asyncProperty(hostileText, hostileText, async (name, text) => {
        const file = { id: "F1", name, type: text }
        const { context } = await readAttached([file, file], async () => ({ file, text }))
        const [, ...lines] = context.split(LINE_END)
        for (const line of lines) expect(line).toMatch(/^(> |$)/)
      }),
      RUNS,
    )
  })
})

test("a text full of mentions asks Slack about some of them, not about thousands", async () => {
  const asked: string[] = []
  const profileOf = async (user: string) => {
    asked.push(user)
    return {
      user,
      name: user,
      team: "",
      isGuest: false,
      isStranger: false,
      isBot: false,
      timeZone: "",
    }
  }
  const text = Array.from({ length: 3000 }, (_, n) => `<@U${n}>`).join(" ")
  const names = await namesIn(text, profileOf)
  expect(asked.length).toBeLessThanOrEqual(50)
  expect(names.get("U0")).toBe("U0")
})

/** People feel a stall from about 200 ms on, and Slack waits 3 s for everybody behind it. */
const STALL_MS = 200
const LONG = 40_000

const READERS: Record<string, (text: string) => unknown> = {
  mentionedUsers,
  toPlainText: (text) => toPlainText(text, new Map()),
  withoutMention: (text) => withoutMention(text, "U0BEN00001"),
  readCommand: (text) => readCommand(text, ["docs-site"]),
  readThread,
  readMention,
  foreign: (text) => foreign(text, LONG),
  foreignLine: (text) => foreignLine(text, LONG),
  plainLine: (text) => plainLine(text, LONG),
  fingerprint: (text) => fingerprint("p", "u", { words: text }),
  quoteTalk: (text) =>
    quoteTalk([{ speaker: text, text, files: [{ id: "F1", name: text, type: text }] }]),
  card: (text) => jobCard(aJob({ prLink: text, note: text }), { words: text }),
  closing: (text) => closingReply({ ...aJob({ detail: text, prLink: text }), ending: "refused" }),
  visitors: (text) => parseCommand(text, "docs-site", "2026-11-20"),
  filter: (text) => matches(text, `*${text}*a`),
}

describe("40,000 characters of anything stall nobody", () => {
  test.each(Object.keys(READERS))("%s", (name) => {
    const read = READERS[name]
    const slow: string[] = []
    for (const fragment of FRAGMENTS)
      for (const head of ["", "cancel ", "use ", "subscribe "]) {
        const text = (head + fragment.repeat(LONG)).slice(0, LONG)
        // What is slow for its own sake is slow again; what others held up is not.
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
})
