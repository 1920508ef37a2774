import { expect, test } from "vitest"
import { cancelled } from "../../src/jobs/end-round.ts"
import { jobCard } from "../../src/messages/card.ts"
import { aRound, becomes } from "../helpers/job.ts"
import { rendered } from "../helpers/rendered.ts"
import { ADA, BEN, buttonsOf, CLEO } from "../sandbox/slack/index.ts"
import { NOW, WORDS } from "./texts/facts.ts"
import { aJob, ask, card, first, place, pull, size } from "./texts/jobs.ts"

test("the post of a card mentions nobody: Slack would notify them", () => {
  const asks = [ask({}), ask({ id: "ask2", user: BEN })]
  const { card: _, ...job } = aJob({ asks, thread: "1.0" })
  const where = { gitHubHost: "github.com", admins: [CLEO], name: "Ada", now: NOW }
  for (const at of [place({}), place({ paused: "key_refused" }), place({ paused: "forbidden" })])
    expect(
      JSON.stringify(jobCard({ job: { ...job, place: at }, words: WORDS, ...where })),
    ).not.toContain("<@")
})

test("a card says what its round is, also if the repository's name has a word of the card", () => {
  const [opened, followUp] = [first({ asks: [ask({ ts: "1.2" })] }), ask({ id: "a2", user: BEN })]
  const rounds = [opened, aRound({ asks: [followUp], ending: "pull_request" })]
  const prLink = "https://github.com/acme/update-docs/pull/9"
  const { text } = card({ state: "ended", thread: "1.1", prLink, rounds })
  expect(text).toContain("acme/update-docs#9")
  expect(text).toContain(`Follow-up · asked by <@${BEN}>`)
})

test("FOL-4: a card leaves out a pull request's title that only repeats the request above it", () => {
  const titled = (title: string) =>
    rendered(card({ state: "ended", ending: "pull_request", pull: pull({ title, size }) }).blocks)
  expect(titled("Require Node 20.19")).toContain("Require Node 20.19 · 3 files")
  for (const title of [WORDS.toUpperCase(), "Fix the quickstart: it…"])
    expect(titled(title)).toContain("\n3 files, ")
})

test("numbers behind a title or a name in Hebrew or Arabic keep their order", () => {
  const of = pull({ title: "תיקון", size })
  const ended = card({ state: "ended", ending: "pull_request", pull: of })
  expect(rendered(ended.blocks)).toContain("תיקון\u200e · 3 files")
  const [facts, seventh] = [{ gitHubHost: "github.com", admins: [], now: NOW }, place({ place: 7 })]
  const queued = jobCard({ job: aJob({ place: seventh }), words: WORDS, name: "محمد", ...facts })
  expect(rendered(queued.blocks)).toContain("محمد\u200e · 7th in line")
})

test("FOL-5: a follow-up that joined a retry is a line of the history, also once it is run again", () => {
  const [own, joined] = [ask({}), ask({ id: "a2", user: BEN })]
  const again = { user: ADA, how: "run" } as const
  const tries = [[own], [own, joined], [own, joined]].map((asks, n) =>
    aRound({ id: `r${n}`, asks, ending: "failed", ...(n > 0 ? { again } : {}) }),
  )
  const line = `Run again · asked by <@${ADA}>\nFollow-up · asked by <@${BEN}>`
  for (const rounds of [tries.slice(0, 2), tries])
    expect(card({ state: "ended", rounds }).text.split(line)).toHaveLength(2)
})

test("FOL-5: a card's lines name those whose requests its round has, and nobody who took theirs back or was refused", () => {
  const [own, bens] = [ask({}), ask({ id: "a2", user: BEN })]
  const failed = aRound({ id: "r0", asks: [own], ending: "failed" })
  const cleos = ask({ id: "a3", user: CLEO })
  const { text } = card({ state: "ended", rounds: [failed, aRound({ asks: [bens, cleos] })] })
  expect(text).toContain(`Follow-up · asked by <@${BEN}> and <@${CLEO}>`)

  const again = { user: ADA, how: "run" } as const
  const joined = aJob({ rounds: [failed, aRound({ asks: [own, bens], again })] })
  const wish = { mayCancel: ({ user }: { user: string }) => user === ADA, by: ADA, now: NOW }
  const left = becomes(joined, cancelled(joined, wish))
  const refused = aRound({ id: "r0", asks: [cleos], ending: "not_allowed" })
  for (const rounds of [left.rounds, [refused, aRound({ asks: [own] })]])
    expect(card({ state: "active", rounds }).text).not.toMatch(/asked by/)
})

test("ASK-2: a card above its message names who asked, as when an earlier request was cancelled", () => {
  const askedAt = (ts: string) =>
    rendered(card({ thread: "1.0", card: "1.2", asks: [ask({ ts })] }).blocks)
  expect(askedAt("1.3")).toContain("Requested by Ada")
  expect(askedAt("1.1")).not.toContain("Requested by")
})

test("a request that is run again long after it was asked waits a moment, too", () => {
  const job = aJob({ mayStartAt: NOW + 5000, again: { user: ADA, how: "run" } })
  const { text } = jobCard({ job, words: WORDS, gitHubHost: "", admins: [], now: NOW })
  expect(text).toContain("Starting in a moment")
})

test("LIM-5: a card has *Cancel* until its request is sent, and *Mute* while the agent works", () => {
  const states = ["queued", "creating", "active"] as const
  const buttons = states.map((state) => buttonsOf(card({ state })))
  expect(buttons).toEqual([["cancel"], [], ["mute"]])
})
