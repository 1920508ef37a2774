import { describe, expect } from "vitest"
import { comment } from "../helpers/gaps.ts"
import { listedProjects } from "../helpers/listed-projects.ts"
import { botSays } from "../helpers/reading.ts"
import { digests, PROJECT, said, storeDigest, type, useVisitors } from "../helpers/visitors.ts"
import { tableIn, typesIn, wordsIn } from "../helpers/visitors-blocks.ts"
import { ADA, BEN, DOCS, RANDOM } from "../sandbox/slack/index.ts"
import { SECRETS } from "../sandbox/test-bed.ts"

const { test, bed, daily } = useVisitors()

describe("subscribing", () => {
  test("is said in the channel once, with the time on the subscriber's clock", async (h) => {
    await type(h, "subscribe weekly at 08:30")
    expect(said(h)[0]?.text).toContain(`<@${ADA}> turned on the weekly docs traffic digest`)
    expect(said(h)[0]?.text).toMatch(/Mondays at 8:30 AM \(\w+ time\)/)
    const list = await h.ask(BEN, "subscriptions")
    expect(list.text).toMatch(/• Weekly on Mondays at 8:30 AM/)
    const answer = await h.ask(ADA, "subscribe weekly at 8:30")
    expect(answer.text).toMatch(/^Already on in this channel\. /)
    expect(said(h)).toHaveLength(1)
  })

  test("again replaces the time, and other rhythms stand beside it", async (h) => {
    await type(h, "subscribe weekly 08:00")
    await type(h, "subscribe weekly 10:00")
    await type(h, "subscribe daily")
    const { text } = await h.ask(ADA, "subscriptions")
    expect(text).toMatch(/• Daily at 9:00 AM[^•]*• Weekly on Mondays at 10:00 AM/)
  })

  test("of one project leaves another's alone, and so does its end", async () => {
    const projects = { docs: PROJECT, api: "docs-api" }
    const served = Object.values(projects).map((id) => ({ id, key: SECRETS.apiKey }))
    const h = await bed({ docs: { projects: served }, env: listedProjects(projects) })
    await type(h, "subscribe daily at 14:00")
    await type(h, "project=api subscribe daily at 14:00")
    expect(said(h)[1]?.text).toContain(
      "turned on the daily docs traffic digest for api in this channel",
    )
    await h.at("2026-11-20T13:00Z")
    expect(digests(h)).toHaveLength(2)
    const { text: slip } = await h.ask(ADA, "unsubscrbe project=api")
    expect(slip).toBe("Did you mean `/docs-visitors project=api unsubscribe`?")
    await type(h, "unsubscribe project=api")
    expect(said(h).at(-1)?.text).toContain("turned off the daily docs traffic digest for api")
    expect((await h.ask(ADA, "subscriptions")).text).toMatch(/• Daily [^•]* · docs · [^•]*$/)
  })

  test("of a project that was removed is still listed, and can be ended", async (h) => {
    const rhythm = { every: "daily", hour: 9, minute: 0, zone: "UTC" } as const
    await storeDigest(h, Date.parse("2026-11-20T09:00Z"), { project: "removed", ...rhythm })
    await type(h, "subscribe weekly")
    const { text } = await h.ask(ADA, "subscriptions")
    expect(text).toMatch(
      /Daily at 9:00 AM \(UTC\) · removed · [^·]* · paused until its project is back$/m,
    )
    expect(text).toMatch(/Weekly [^•]* · next /)
    await type(h, "unsubscribe weekly")
    await type(h, "unsubscribe daily")
    expect((await h.ask(ADA, "subscriptions")).text).toContain("has no docs traffic digests")
  })

  test("where the bot may not post is refused at once, and nothing is stored", async (h) => {
    expect((await h.ask(ADA, "subscribe daily", RANDOM)).text).toContain(
      "Invite me with `/invite` <@",
    )
    expect((await h.ask(ADA, "subscriptions", RANDOM)).text).toContain(
      "has no docs traffic digests",
    )
  })

  test("ends for one rhythm or for all, and nothing is posted any more", async () => {
    const h = await daily()
    await type(h, "subscribe weekly")
    await type(h, "unsubscribe weekly")
    await type(h, "unsubscribe", { user: BEN })
    expect(said(h).at(-1)?.text).toContain(`<@${BEN}> turned off the daily docs traffic digest`)
    expect((await h.ask(ADA, "unsubscribe")).text).toContain("Nothing to turn off")
    await h.at("2026-11-30T20:00Z")
    expect(digests(h)).toEqual([])
  })
})

describe("a digest", () => {
  test("VIS-14: is posted when it is due, with a lead, the service's numbers and no controls", async () => {
    const h = await daily()
    await h.at("2026-11-20T23:59Z")
    const [digest, ...more] = digests(h)
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

  test("VIS-14: is posted once after nine days without a process, and then as usual", async () => {
    const h = await daily()
    await h.restartBot(async () => h.clock.moveOn(Date.parse("2026-11-29T20:00Z") - h.clock.now()))
    await h.posts()
    expect(digests(h).map(({ text }) => text.slice(0, 22))).toEqual(["Docs traffic on Nov 28"])
    await h.at("2026-11-30T20:00Z")
    expect(digests(h)).toHaveLength(2)
  })

  test("that is late past midnight is about the day that was due, and the next about the next", async () => {
    const h = await daily()
    await h.at("2026-11-20T13:00Z")
    await h.at("2026-11-22T10:00Z")
    await h.at("2026-11-22T13:00Z")
    const days = digests(h).map(({ text }) => text.slice(0, 22))
    expect(days).toEqual([19, 20, 21].map((day) => `Docs traffic on Nov ${day}`))
  })

  test("of a week that is late names its days, and is about the week before it was due", async (h) => {
    await type(h, "subscribe weekly")
    await h.at("2026-11-25T08:00Z")
    expect(digests(h)[0]?.text).toMatch(/^Docs traffic for Nov 16–22: .* vs Nov 9–15\)/)
  })

  test("falls back to text where the workspace takes neither charts nor tables", async () => {
    const h = await daily({ slack: { refuse: { charts: true, tables: true } } })
    await h.at("2026-11-21T20:00Z")
    expect(digests(h)).toHaveLength(1)
  })
})

test("the weekly digest counts what was written, however much, and what led to a request", async () => {
  const feedback = Array.from({ length: 250 }, (_, n) =>
    comment(n, { status: "resolved", ...(n % 2 === 0 ? {} : { comment: null }) }),
  )
  const h = await bed({ docs: { analytics: { feedback } } })
  await type(h, "subscribe weekly at 14:00")
  await h.at("2026-11-23T13:00Z")
  expect(digests(h)[0]?.text).toMatch(/12[5-9]|1[3-9]\d comments from readers/)
})

test("PUL-10: the weekly digest says in two lines what came of the project's requests", async () => {
  const projects = { docs: PROJECT, api: "docs-api" }
  const served = Object.values(projects).map((id) => ({ id, key: SECRETS.apiKey }))
  const docs = { projects: served }
  const h = await bed({ docs, env: listedProjects(projects), followsPulls: true })
  h.docs.planAll({ ending: "pull_request", afterMs: 20 })
  for (const words of ["write the guide", "project=api write the reference"]) {
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", words)
    await botSays(h, new RegExp(`${words.replace(/.*=api /, "")}[\\s\\S]*request ready`))
  }
  await type(h, "subscribe weekly at 14:00")
  await h.at("2026-11-23T13:00Z")
  const [digest] = digests(h)
  expect(digest?.text).toMatch(
    /1 request to the docs agent, 1 pull request opened\n0 merged · 0 closed · 1 waiting$/,
  )
})
