import { expect, test } from "vitest"
import { readDocument } from "../helpers/documents.ts"
import { READY, useTestBed } from "../helpers/test-bed.ts"
import { ADA, DOCS } from "../sandbox/slack/index.ts"

const { testBed } = useTestBed({ followsPulls: true })

const MINUTE_MS = 60_000
const UNITS: Readonly<Record<string, number>> = {
  minutes: MINUTE_MS,
  hours: 60 * MINUTE_MS,
  days: 1440 * MINUTE_MS,
}

/**
 * Result of `PTTL` for a key that has expired since it was listed. A key without an expiry answers
 * -1, and one in its last millisecond 0.
 */
const GONE = -2

/** Facts that the document must name although no key of their own shows them. */
const NAMED = [/changed lines/, /review that requests changes/, /how and when its pull request/]

const PRIVACY = readDocument(".github/PRIVACY.md")

/** Returns the time in ms that the matching row of the document promises. */
function promised(words: RegExp): number {
  const row = new RegExp(`^\\| .*${words.source}.* \\| \\D*(\\d+) (\\w+)`, "m")
  const [, number, unit = ""] = row.exec(PRIVACY) ?? []
  return Number(number) * (UNITS[unit] ?? Number.NaN)
}

/** Time in ms for keys that last for a request, a click or a rolling hour. */
const BRIEFLY_MS = 61 * MINUTE_MS
/** Kinds of keys, with the documented time in ms; the first match counts. */
const KEPT: readonly [kind: RegExp, ms: number][] = [
  [/^(seen:|once:\w+\.)/, promised(/IDs of Slack's deliveries/)],
  [/^same:/, promised(/Hashes of requests/)],
  [/^(grant|reply|newest|room|once|turn|ready|queue:\w+:log|v:hour)\b/, BRIEFLY_MS],
  [/^queue:\w+:(month|extra):/, promised(/which requests were sent this month/)],
  [/^(words|files):/, promised(/Requests, with what was quoted/)],
  [/^job:/, promised(/A job: who asked/)],
  [/^(own:\w+:cancelled$|(user|thread|about|told):)/, promised(/Which jobs belong to a person/)],
  [/^own:\w+:(draft|asked|forgetting)\b/, promised(/waiting to be confirmed/)],
  [/^own:\w+:profile$/, promised(/names and time zones/)],
  [/^own:\w+:direct$/, promised(/direct message with a person/)],
  [/^own:\w+:told-of-apps$/, promised(/a post through another app/)],
  [/^own:\w+:shown\b/, promised(/Data behind a report's buttons/)],
  [/^v:read:figures:\w+:([\d-]+):\1$/, promised(/The totals of a single day/)],
  [/^v:read:comments:/, promised(/AI agents' comments/)],
  [/^v:read:/, promised(/Visitor figures/)],
  [/^v:requested:/, promised(/Which gaps were requested/)],
  [/^audit$/, promised(/The audit log: who asked/)],
  [/^own:\w+:csv:/, promised(/CSVs being prepared/)],
]
/** Names of the bot's own state: times, and ids of jobs, people and channels that it waits for. */
const STATE =
  /^(clock:seen|full|outbox|polls|pulls|watch|results|reminders|reminder:\w+|github:.*|sessions|busy|epoch|memory|configured|workspace|job-path:.*|heard:\w+|alive|worked:\w+|queue:\w+(:messages)?:(wait|last|creating|pause|waiting:\w+)|surface:\w+|v:(post|csv):(due|\w+:.*))$/

test("SAFE-11: nothing is kept longer than the privacy document says, and no kind of key is missing there", async () => {
  for (const fact of NAMED) expect(PRIVACY).toMatch(fact)
  expect(PRIVACY).toContain("{da}:clock:seen")
  // Few figures: what is kept of them is the same, and a busy machine reads them in time.
  const docs = { visitors: { pages: 5 }, analytics: { conversationsPerDay: 2 } }
  const goesOn = "the CSV arrives"
  const h = await testBed({ plan: READY, docs, goesOn, env: { JOBS_PER_MONTH: "90" } })
  const ada = h.slack.as(ADA)
  await ada.slash(DOCS, "/docs-agent", "fix the quickstart page")
  await h.botSays(/request is ready/)
  await ada.slash(DOCS, "/docs-agent", "fix the quickstart page")
  await ada.globalShortcut("ask_docs_agent_global")
  await ada.submitModal({ prompt: "shorten the intro" })
  h.slack.postAsApp(DOCS, { text: "<@U0DOCSAGENT> fix the footer", user: ADA })
  await h.toldPrivately(ADA, /^Nothing started/)
  await ada.slash(DOCS, "/docs-visitors", "subscribe weekly")
  await ada.slash(DOCS, "/docs-visitors", "7d")
  const report = await h.toldPrivately(ADA, /visitors/i)
  await ada.slash(DOCS, "/docs-visitors", "gaps")
  const gaps = await h.toldPrivately(ADA, /^What readers/)
  await ada.click(gaps, "gaps_ask", { index: 0 })
  await ada.submitModal()
  // A delivered file is no longer stored, so this one waits for Slack.
  const upload = h.slack.hold("files.getUploadURLExternal")
  await ada.click(report, "visitors_csv")
  await expect.poll(() => upload.hits).toBeGreaterThan(0)

  const redis = h.services.requestRedis
  // A job that still runs is kept until it ends.
  const running = async () => {
    const jobs = await redis.keys("{da}:job:*")
    const left = await Promise.all(jobs.map((job) => redis.pttl(job)))
    return left.filter((ttl) => ttl === -1).length
  }
  await expect.poll(running).toBe(0)
  const longest = new Map<RegExp, number>()
  for (const name of await redis.keys("*")) {
    const key = name.slice("{da}:".length)
    const ttl = await redis.pttl(name)
    if (STATE.test(key) || ttl === GONE) continue
    const [kind, ms = 0] = KEPT.find(([kind]) => kind.test(key)) ?? []
    expect({ key, kind, ttl }).toMatchObject({ kind: expect.any(RegExp) })
    if (!kind) continue
    expect({ key, ms, ttl, inTime: ttl >= 0 && ttl <= ms }).toEqual({ key, ms, ttl, inTime: true })
    longest.set(kind, Math.max(ttl, longest.get(kind) ?? 0))
  }
  // It isn't kept much shorter, either: then the document would be wrong, too.
  for (const [kind, ms] of KEPT)
    expect({ kind, share: (longest.get(kind) ?? 0) / ms }).toMatchObject({
      share: expect.toSatisfy((share: number) => share > 0.9),
    })
  // The shutdown waits for work in progress.
  upload.release()
})
