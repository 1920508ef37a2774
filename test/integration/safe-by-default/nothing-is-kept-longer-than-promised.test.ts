import { expect, test } from "vitest"
import { readDocument } from "../../helpers/documents.ts"
import { botSays, toldPrivately } from "../../helpers/reading.ts"
import { useTestBed } from "../../helpers/test-bed.ts"
import { ADA, CLEO, DOCS } from "../../sandbox/slack/seed/ids.ts"

const testBed = useTestBed({ env: { ADMIN_USERS: CLEO } })

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
  [/^v:key:\w+:(askers|hour:user:\w+)$/, promised(/Who asked for visitor figures/)],
  [
    /^(reply|same|grant|turn|holder|ready|name-lookups|room|p:[\w-]+:log|v:x:.*:shown|v:key:\w+:(hour|pause))\b/,
    BRIEFLY_MS,
  ],
  [/^(job|prompt|user|thread):/, promised(/Prompts and jobs/)],
  [/^draft(-of)?:/, promised(/waiting to be confirmed/)],
  [/^profile:/, promised(/names and time zones/)],
  [/^seen:/, promised(/IDs of Slack's deliveries/)],
  [/^v:r:/, promised(/Visitor figures/)],
  [/^v:shown:/, promised(/report's buttons need/)],
  [/^(delivery|own):/, promised(/slow to say/)],
  [/^v:(x|xof):/, promised(/CSV exports/)],
]
/** The bot's own state: ids of jobs, people and channels while they are waited for, and moments. */
const STATE =
  /^(carding|deferred|outbox|due|busy|epoch|audit|projects|configured|heard:\w+|p:[\w-]+:(wait|last|creating|pause|job-path|waiting:\w+)|use:\w+|sessions|session:.*|surface(-try)?|greeted|v:d:.*|v:d-due|v:x-due|v:rung:\w+)$/

test("nothing is kept longer than the privacy document says, and no kind of key is missing there", async () => {
  const h = await testBed()
  h.docs.planAll({ ending: "pull_request", afterMs: 20 })
  const ada = h.slack.as(ADA)
  await ada.slash(DOCS, "/docs-agent", "fix the quickstart")
  await botSays(h, /request ready/)
  await ada.slash(DOCS, "/docs-agent", "fix the quickstart")
  await ada.slash(DOCS, "/docs-visitors", "subscribe weekly")
  await h.slack.as(CLEO).slash(DOCS, "/docs-agent", "use docs-site")
  await ada.slash(DOCS, "/docs-visitors", "7d")
  const report = await toldPrivately(h, ADA, /^Docs visitors/)
  // A file that has arrived is kept no more: this one waits for Slack.
  const upload = h.slack.fail({ kind: "rate_limited", method: "files.getUploadURLExternal" })
  await ada.click(report, "visitors_csv")
  await expect.poll(() => upload.hits).toBeGreaterThan(0)

  await h.services.deferred.keep({ id: "command:1", body: { command: "/docs-agent" } }, ADA)

  const redis = h.services.requestRedis
  const longest = new Map<RegExp, number>()
  for (const name of await redis.keys("*")) {
    const key = name.slice("{da}:".length)
    const ttl = await redis.pttl(name)
    if (STATE.test(key) || ttl === GONE) continue
    const [kind, ms = 0] = KEPT.find(([kind]) => kind.test(key)) ?? []
    expect({ key, kind, ttl }).toMatchObject({ kind: expect.any(RegExp) })
    if (!kind) continue
    expect({ key, ms, inTime: ttl > 0 && ttl <= ms }).toMatchObject({ inTime: true })
    longest.set(kind, Math.max(ttl, longest.get(kind) ?? 0))
  }
  // Nor is anything kept much shorter: that would be a wrong sentence as well.
  for (const [kind, ms] of KEPT)
    expect({ kind, share: (longest.get(kind) ?? 0) / ms }).toMatchObject({
      share: expect.toSatisfy((share: number) => share > 0.9),
    })
})
