import { mkdir, writeFile } from "node:fs/promises"
import { afterAll, expect, test } from "vitest"
import { endings } from "../../src/jobs/round-record.ts"
import { askModal } from "../../src/messages/ask-form-view.ts"
import { quotaMessage } from "../../src/messages/quota.ts"
import { statusMessage } from "../../src/messages/status-and-home.ts"
import type { Message } from "../../src/slack/message-types.ts"
import { checkMessage, checkView } from "../helpers/block-kit.ts"
import type { JobFacts } from "../helpers/job.ts"
import { dialogsIn, rendered } from "../helpers/rendered.ts"
import { ADA, BEN, CLEO } from "../sandbox/slack/index.ts"
import { ANSWER_TEXTS, POST_TEXTS, VIEWS } from "./texts/answers-and-posts.ts"
import { BARE, CARD_TEXTS } from "./texts/cards.ts"
import { NOW, WORDS } from "./texts/facts.ts"
import { ask, card, first, follow, ready, result } from "./texts/jobs.ts"
import { facts, overview, paused } from "./texts/overview.ts"
import { VISITOR_TEXTS } from "./texts/visitors.ts"

/** Folder for what people read after a run; nothing compares it. */
const COVERAGE = new URL("../../coverage/", import.meta.url)

const KINDS: Record<string, Record<string, Message>> = {
  ...CARD_TEXTS,
  ...ANSWER_TEXTS,
  ...POST_TEXTS,
  ...VISITOR_TEXTS,
}

/** Writes every message by its kind, for people and for `npm run test:blocks`. */
afterAll(async () => {
  const shown: Record<string, Record<string, { blocks: Message["blocks"] }>> = {
    ...KINDS,
    Views: VIEWS,
  }
  const kinds = Object.entries(shown).map(([kind, texts]) => {
    const each = Object.entries(texts).map(
      ([name, { blocks }]) => `**${name}**\n\n${rendered(blocks).replace(/^/gm, "    ")}`,
    )
    return `## ${kind}\n\n${each.join("\n\n")}`
  })
  const asked = Object.values(shown).flatMap((texts) => Object.values(texts).flatMap(dialogsIn))
  kinds.push(`## Confirmation dialogs\n\n${[...new Set(asked)].join("\n\n")}`)
  const payloads = Object.entries(shown).flatMap(([kind, texts]) =>
    Object.entries(texts).map(([name, payload]) => ({
      name: `${kind}: ${name}`,
      ...("text" in payload ? { message: payload } : { view: payload }),
    })),
  )
  await mkdir(COVERAGE, { recursive: true })
  await writeFile(new URL("messages.json", COVERAGE), JSON.stringify(payloads))
  await writeFile(
    new URL("messages.md", COVERAGE),
    `# What the bot says\n\n${kinds.join("\n\n")}\n`,
  )
})

/** Words and buttons that people rely on, in the order in which they stand. */
const PROMISED: readonly [kind: string, name: string, ...words: string[]][] = [
  ["Cards", "just asked", "Starting in a moment", WORDS, "[Cancel]"],
  ["Cards", "in line", "starts around 2026-11-20 21:00 UTC", "7th in line", "[Cancel]"],
  ["Cards", "paused: rate_limited", "hourly limit", "next try around", "[Cancel]"],
  ["Cards", "paused: key_refused", "*Paused*", `<@${CLEO}> replaces the API key`],
  ["Cards", "working", "*Working on it*", "started", "[Mute]"],
  ["Cards", "working, with a pull request", "may still change", "[View pull request]"],
  ["Cards", "follow-ups wait while it works", BEN, "is waiting", "[Cancel] [Start separately]"],
  ["Cards", "more follow-ups than it shows", "2 earlier follow-ups not shown"],
  ["Cards", "updated, as two people asked", "acme/docs#214", "Written by AI", BEN, CLEO],
  ["Cards", "merged", "*Merged* by ben", "acme/docs#214", ADA],
  [
    "Results",
    "pull_request",
    ADA,
    "Written by AI: review it before merging",
    "[View pull request]",
  ],
  ["Results", "updated", ADA, "*Updated*", "3 files, +45 −9"],
  ["Results", "no_pull_request", "[Look for a pull request] [Run again] [Edit and run again]"],
  ["Results", "failed", "It didn't say why", "[Run again] [Edit and run again]"],
  ["Results", "lost", "stopped checking", "[Look for a pull request]"],
  ["Results", "unknown", "Before running this again, check for a new pull request", "[Run again]"],
  ["Results", "a bad link", "its link can't be shown", "Find it in your repository"],
  ["Questions and private answers", "asked before", "view it", "[Run again] [Don't run]"],
  ["Refusals", "guest", `Ask <@${CLEO}>`, ADA, WORDS],
  ["Refusals", "cannot post", "Invite me", WORDS, "[Run it in a direct message]"],
  ["Refusals", "queue full", "50 requests queued", WORDS, "[Edit and send again]"],
  ["Reviews and reminders", "changes requested", ADA, "by cleo", "[Address the review]"],
  ["Status, quota, help", "status", "Needs you", "Working", "2nd in line", "Done"],
  ["Status, quota, help", "quota reserved", "reserved for people with fewer than 5 requests"],
  ["Status, quota, help", "help", "Review every pull request before merging", "forget-me"],
]

test.each(PROMISED)("%s, %s: it says what people rely on", (kind, name, ...words) => {
  const text = rendered(KINDS[kind]?.[name]?.blocks ?? [])
  const places = words.map((word) => text.indexOf(word))
  expect({ text, places }).toEqual({ text, places: places.toSorted((a, b) => a - b) })
  expect(places).not.toContain(-1)
})

const ALL = Object.entries(KINDS).flatMap(([kind, texts]) =>
  Object.entries(texts).map(([name, message]) => [`${kind}: ${name}`, message] as const),
)

test.each(ALL)(
  "FOL-19: Slack takes it, and its text alone says all, addresses too: %s",
  (_, message) => {
    expect(checkMessage(message)).toEqual([])
  },
)

test.each(Object.entries(VIEWS))("Slack takes the view: %s", (_, view) => {
  expect(checkView(view)).toEqual([])
})

/** Counts the bot's own words, without the request and without buttons. */
function countWords({ blocks }: Message): number {
  return rendered(blocks.filter(({ type }) => type !== "rich_text" && type !== "actions"))
    .replace(/:[a-z_]+:|·/g, "")
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, "8:30")
    .split(/\s+/)
    .filter(Boolean).length
}

test.each(Object.entries(BARE))("a card says it in twelve words: %s", (_, message) => {
  expect(countWords(message)).toBeLessThanOrEqual(12)
})

test.each<[how: string, most: number, JobFacts]>([
  ["a mention", 30, { thread: "1.0", asks: [ask({ ts: "1.0" })] }],
  ["a command", 40, { asks: [ask({})] }],
])("a job with one follow-up is told in few words: by %s, at most %i", (_, most, how) => {
  const rounds = [first({ asks: how.asks ?? [] }), ...(follow.rounds ?? []).slice(1)]
  const { asks: _asks, ...where } = how
  const updated: JobFacts = { ...where, ...follow, rounds, state: "ended", ending: "pull_request" }
  const told = [card(updated), result({ ...ready, ...how }), result(updated)]
  expect(told.map(countWords).reduce((all, one) => all + one)).toBeLessThanOrEqual(most)
})

/** Words that are internal or unidiomatic. One question, and messages to admins, may say `job`. */
const STRUCK =
  /\b(the bot|this bot|prompts?|slots?|cards?|configured|goes on|stands on|mended|anew|shall|lately|whoever|very same|by itself|back to usual|far from usual|other words|please|sorry|deployment|comes back|storage)\b/i

test.each([...ALL, ...Object.entries(VIEWS)])("struck words stay struck: %s", (_, { blocks }) => {
  const ours = blocks.filter(({ type }) => type !== "rich_text")
  expect(STRUCK.exec(rendered(ours))?.[0]).toBeUndefined()
})

test("FOL-11: no two endings read the same", () => {
  const lines = endings.map((ending) => rendered(card({ state: "ended", ending }).blocks))
  expect(new Set(lines).size).toBe(endings.length)
})

test("nothing names a time while nobody knows when a pause is over", () => {
  const endless = { place: { place: 1, paused: "key_refused" } } as const
  for (const message of [card(endless), quotaMessage(paused)])
    expect(message.text).not.toMatch(/\d\d:\d\d/)
})

test("of 150 projects the busiest come first and the rest are counted", () => {
  const quotas = Array.from({ length: 150 }, (_, n) => ({
    project: `p${n}`,
    quota: { used: 99, ceiling: 99, waiting: n === 149 ? 1000 : 3, startsAt: NOW + 1 },
  }))
  const many = { ...facts, nameOf: (project: string) => project, overview: { ...overview, quotas } }
  for (const message of [statusMessage(many), quotaMessage(many)]) {
    expect(checkMessage(message)).toEqual([])
    expect(message.text).toMatch(/p149[\s\S]*140 other projects not shown/)
  }
  const projects = quotas.map(({ project }) => ({ key: project, name: project }))
  const form = askModal({ draft: "d", project: "p149", projects })
  expect(checkView(form)).toEqual([])
  expect(JSON.stringify(form)).toContain(
    '"initial_option":{"text":{"type":"plain_text","text":"p149"',
  )
})

test("ASK-29: of many requests of a kind ten are listed and the rest are counted", () => {
  const jobs = overview.jobs.flatMap((listed) => Array.from({ length: 12 }, () => listed))
  const { text } = statusMessage({ ...facts, overview: { ...overview, jobs } })
  expect(text.match(/^\d+ more$/gm)?.length).toBeGreaterThan(0)
})

test("ASK-29: Home shows a person's requests, the queue, the hour's quota and how to ask", () => {
  const home = JSON.stringify(VIEWS.Home)
  const how = ["`/docs-agent` alone", "mention me"]
  for (const words of [WORDS, "2 of 99 requests used", "1 queued", ...how])
    expect(home).toContain(words)
})
