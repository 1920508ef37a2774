import { expect, test } from "vitest"
import { readDocument } from "../../helpers/documents.ts"
import { gate } from "../../helpers/gate.ts"
import { botSays, toldPrivately } from "../../helpers/reading.ts"
import { useTestBed } from "../../helpers/test-bed.ts"
import { ADA, DOCS } from "../../sandbox/slack/seed/ids.ts"

const testBed = useTestBed({ followsPulls: true })

const MINUTE_MS = 60_000
const UNITS: Readonly<Record<string, number>> = {
  minutes: MINUTE_MS,
  hours: 60 * MINUTE_MS,
  days: 1440 * MINUTE_MS,
}

/** What `PTTL` says of a key that ran out since it was listed. */
const GONE = -2

const PRIVACY = readDocument(".github/PRIVACY.md")

/** The time in the row that has these words, ms. */
function promised(words: RegExp): number {
  const row = new RegExp(`^\\| .*${words.source}.* \\| \\D*(\\d+) (\\w+)`, "m")
  const [, number, unit = ""] = row.exec(PRIVACY) ?? []
  return Number(number) * (UNITS[unit] ?? Number.NaN)
}

/** In passing: for the length of a request, a click or an hour that rolls. */
const BRIEFLY_MS = 61 * MINUTE_MS
/** Kinds of keys, and how long the document says they are kept; the first that fits counts. */
const KEPT: readonly [kind: RegExp, ms: number][] = [
  [/^(seen:|once:\w+\.)/, promised(/IDs of Slack's deliveries/)],
  [/^(grant|reply|same|room|once|turn|ready|queue:\w+:log|v:hour)\b/, BRIEFLY_MS],
  [/^words:/, promised(/Requests, with what was quoted/)],
  [/^job:/, promised(/A job: who asked/)],
  [/^(user|thread|about):/, promised(/Which jobs belong to a person/)],
  [/^own:\w+:(draft|asked|forgetting)\b/, promised(/waiting to be confirmed/)],
  [/^own:\w+:profile$/, promised(/names and time zones/)],
  [/^own:\w+:shown\b/, promised(/Data behind a report's buttons/)],
  [/^v:read:figures:\w+:([\d-]+):\1$/, promised(/The totals of a single day/)],
  [/^v:read:/, promised(/Visitor figures/)],
  [/^audit$/, promised(/The audit log: who asked/)],
  [/^own:\w+:question:/, promised(/CSVs being prepared/)],
]
/** The bot's own state: ids of jobs, people and channels while they are waited for, and moments. */
const STATE =
  /^(outbox|polls|pulls|reminders|reminder:\w+|github:.*|previews|sessions|busy|epoch|configured|job-path:.*|heard|alive|worked:\w+|queue:\w+(:messages)?:(wait|last|creating|pause|waiting:\w+)|surface:\w+|v:(post|ask):(due|\w+:.*)|v:level:.*)$/

test("nothing is kept longer than the privacy document says, and no kind of key is missing there", async () => {
  const h = await testBed()
  h.docs.planAll({ ending: "pull_request", afterMs: 20 })
  const ada = h.slack.as(ADA)
  await ada.slash(DOCS, "/docs-agent", "fix the quickstart page")
  await botSays(h, /request is ready/)
  await ada.slash(DOCS, "/docs-agent", "fix the quickstart page")
  await ada.slash(DOCS, "/docs-visitors", "subscribe weekly")
  await ada.slash(DOCS, "/docs-visitors", "7d")
  const report = await toldPrivately(h, ADA, /visitors/i)
  // A file that has arrived is kept no more: this one waits for Slack.
  const sent = gate()
  const upload = h.slack.fail({
    kind: "held",
    until: sent.opened,
    method: "files.getUploadURLExternal",
  })
  await ada.click(report, "visitors_csv")
  await expect.poll(() => upload.hits).toBeGreaterThan(0)

  const redis = h.services.requestRedis
  const longest = new Map<RegExp, number>()
  for (const name of await redis.keys("*")) {
    const key = name.slice("{da}:".length)
    const ttl = await redis.pttl(name)
    if (STATE.test(key) || ttl === GONE) continue
    const [kind, ms = 0] = KEPT.find(([kind]) => kind.test(key)) ?? []
    expect({ key, kind, ttl }).toMatchObject({ kind: expect.any(RegExp) })
    if (!kind) continue
    expect({ key, ms, ttl, inTime: ttl > 0 && ttl <= ms }).toEqual({ key, ms, ttl, inTime: true })
    longest.set(kind, Math.max(ttl, longest.get(kind) ?? 0))
  }
  // Nor is anything kept much shorter: that would be a wrong sentence as well.
  for (const [kind, ms] of KEPT)
    expect({ kind, share: (longest.get(kind) ?? 0) / ms }).toMatchObject({
      share: expect.toSatisfy((share: number) => share > 0.9),
    })
  // Whoever ends waits for what is in hand.
  sent.open()
})
