import { describe, expect } from "vitest"
import { comment } from "../helpers/gaps.ts"
import { withProjects } from "../helpers/listed-projects.ts"
import { PROJECT, useVisitors } from "../helpers/visitors.ts"
import { tableIn, typesIn, wordsIn } from "../helpers/visitors-blocks.ts"
import { ADA, DOCS } from "../sandbox/slack/index.ts"

const { test, bed, daily } = useVisitors()

describe("a digest", () => {
  test("VIS-14: is posted when it is due, with a lead, the service's numbers and no controls", async () => {
    const h = await daily()
    await h.at("2026-11-20T23:59Z")
    const [digest, ...more] = h.digests()
    expect(more).toEqual([])
    if (!digest) throw new Error("No digest was posted")
    const count = (day: string, next: string) => h.docs.truth(PROJECT, day, next).totals
    const { total } = count("2026-11-19", "2026-11-20")
    const was = count("2026-11-12", "2026-11-13")
    expect(digest.text).toContain(
      `Docs traffic on Nov 19: ${total.toLocaleString("en-US")} visitors (`,
    )
    // A day is compared with the same weekday.
    expect(wordsIn(digest)).toContain(`(was ${was.human.toLocaleString("en-US")})`)
    expect(digest.text).toContain("vs Nov 12)")
    expect(tableIn(digest)).toHaveLength(5)
    expect(typesIn(digest)).not.toContain("actions")
    expect(wordsIn(digest)).not.toContain("<@")
    // The report says the same of that day.
    const people = /People \*[^"]*/.exec(wordsIn(digest))?.[0] ?? ""
    expect(wordsIn(await h.ask(ADA, "yesterday"))).toContain(people)
  })

  test("VIS-14: that is late past midnight is about the day that was due, and comes once after days without a process", async () => {
    const h = await daily()
    for (const moment of ["20T13:00", "22T10:00", "22T13:00"]) await h.at(`2026-11-${moment}Z`)
    await h.restartBot(async () => h.clock.moveOn(Date.parse("2026-11-29T20:00Z") - h.clock.now()))
    await h.posts()
    await h.at("2026-11-30T20:00Z")
    const days = h.digests().map(({ text }) => text.slice(0, 22))
    expect(days).toEqual([19, 20, 21, 28, 29].map((day) => `Docs traffic on Nov ${day}`))
  })

  test("of a week that is late names its days, and is about the week before it was due", async (h) => {
    await h.type("subscribe weekly")
    await h.at("2026-11-25T08:00Z")
    expect(h.digests()[0]?.text).toMatch(/^Docs traffic for Nov 16–22: .* vs Nov 9–15\)/)
  })

  test("falls back to text where the workspace takes neither charts nor tables", async () => {
    const h = await daily({ slack: { refuse: { charts: true, tables: true } } })
    await h.at("2026-11-21T20:00Z")
    expect(h.digests()).toHaveLength(1)
  })
})

test("PUL-10: the weekly digest of each project counts what was written, however much, and says in two lines what came of the project's requests", async () => {
  const feedback = Array.from({ length: 250 }, (_, n) =>
    comment(n, { status: "resolved", ...(n % 2 === 0 ? {} : { comment: null }) }),
  )
  const plan = { ending: "pull_request", afterMs: 20 } as const
  const both = withProjects(
    { docs: PROJECT, api: "docs-api" },
    { docs: { analytics: { feedback } } },
  )
  const h = await bed({ plan, followsPulls: true, ...both })
  for (const words of ["write the guide", "project=api write the reference"]) {
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", words)
    await h.botSays(new RegExp(`${words.replace(/.*=api /, "")}[\\s\\S]*request ready`))
  }
  for (const of of ["project=api ", ""]) await h.type(`${of}subscribe weekly at 14:00`)
  await h.at("2026-11-23T13:00Z")
  expect(h.digests()).toHaveLength(2)
  const digest = h.digests().find(({ text }) => text.includes(" comments from readers"))
  expect(digest?.text).toMatch(/12[5-9]|1[3-9]\d comments from readers/)
  expect(digest?.text).toMatch(
    /1 request to the docs agent, 1 pull request opened\n0 merged · 0 closed · 1 waiting$/,
  )
})
