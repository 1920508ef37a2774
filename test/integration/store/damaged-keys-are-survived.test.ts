import fc from "fast-check"
import { afterAll, beforeAll, expect, test } from "vitest"
import { secret } from "../../../src/config/secret.ts"
import { keys } from "../../../src/redis/keys.ts"
import { visitorsKeys } from "../../../src/redis/visitors-keys.ts"
import { visitorActions } from "../../../src/views/visitors/action-ids.ts"
import { type Damage, damage, inflict } from "../../helpers/damage.ts"
import { holds } from "../../helpers/property.ts"
import { botMessages, botSays, buttonsOf, docsUntil } from "../../helpers/reading.ts"
import { startTestRedis, type TestRedis } from "../../helpers/redis.ts"
import { FAST_TIMING } from "../../helpers/test-bed.ts"
import { ADA, ADA_DM, BEN, CLEO, DOCS } from "../../sandbox/slack/seed/ids.ts"
import { startTestBed, type TestBed } from "../../sandbox/test-bed.ts"

/** A test bed is filled and used in each case. ms */
const PATIENCE_MS = 300_000

let redis: TestRedis
const unhandled: unknown[] = []
const note = (error: unknown) => void unhandled.push(error)

beforeAll(async () => {
  process.on("unhandledRejection", note)
  redis = await startTestRedis()
})
afterAll(async () => {
  await redis.stop()
  process.off("unhandledRejection", note)
})

/**
 * What everybody's work hangs on: as another type of value these stop their feature, with an error that
 * names them. They get members that lead nowhere instead.
 */
const FOUNDATION =
  /^\{da\}:(due|outbox|carding|busy|audit|p:.*:(wait|log|creating|last|waiting:.*)|v:(.*:hour|x-due|d-due))$/

async function openTestBed(lines: string[]): Promise<TestBed> {
  await redis.flush()
  return startTestBed({
    address: { kind: "server", url: secret(redis.url) },
    env: { POLL_MIN_MS: "50", POLL_MAX_MS: "200", LOG_LEVEL: "error", ADMIN_USERS: CLEO },
    log: { write: (line) => void lines.push(line) },
    timing: FAST_TIMING,
  })
}

/** Ada leaves a record of every kind behind. */
async function fill({ slack, docs, services }: TestBed): Promise<void> {
  const ada = slack.as(ADA)
  docs.planAll({ ending: "never", afterMs: 0 })
  await ada.slash(DOCS, "/docs-agent", "ends")
  await ada.slash(DOCS, "/docs-agent", "runs on")
  await ada.slash(DOCS, "/docs-agent", "runs on")
  await ada.slash(DOCS, "/docs-visitors", "7d")
  await ada.slash(DOCS, "/docs-visitors", "subscribe weekly")
  await docsUntil({ docs }, ({ creations }) => creations.length === 2)
  docs.finish(docs.creations[0]?.jobId ?? "", "pull_request")
  const card = await botSays({ slack }, /ends.*request ready/s)
  await slack.until((s) =>
    s.ephemerals(ADA).find((shown) => buttonsOf(shown).includes(visitorActions.csv)),
  )
  await services.jobs.useProject(DOCS, "docs-site")
  await services.jobs.setQuiet(DOCS, card.ts)
  const range = { from: "2026-11-01", to: "2026-11-02" }
  const [team, project] = ["T0LOCAL001", "docs-site"]
  const recipient = { user: ADA, channel: ADA_DM, ts: "1.1" }
  await services.visitors.deps.exports.exports.open({ team, project, range }, recipient)
}

async function damaged(
  { services }: TestBed,
  what: readonly [number, Damage][],
): Promise<string[]> {
  const store = services.workerRedis
  const names = (await store.keys("{da}:*")).sort()
  const hit: string[] = []
  for (const [at, how] of what) {
    const key = names[at % names.length] ?? ""
    if (FOUNDATION.test(key) && how.kind === "another type") continue
    await inflict(store, key, how)
    hit.push(`${key}: ${JSON.stringify(how).slice(0, 90)}`)
  }
  // All of it is due now.
  const { exportsDue, digestsDue, alertsDue } = visitorsKeys
  const lists = [keys.due, keys.outbox, exportsDue, digestsDue, alertsDue]
  for (const list of lists)
    for (const member of await store.zrange(list, "0", "-1"))
      await store.zadd(list, "XX", 0, member)
  return hit
}

/** Everybody else is served as ever, and Ada is answered too. */
async function lifeGoesOn({ slack, docs, bot }: TestBed): Promise<void> {
  const asked = await slack.as(BEN).slash(DOCS, "/docs-agent", "bystander")
  expect(asked.shown).toBeUndefined()
  const created = () => docs.creations.find(({ prompt }) => prompt === "bystander")
  await expect.poll(created, { timeout: 30_000 }).toBeTruthy()
  const own = created()
  docs.finish(own?.jobId ?? "", "pull_request")
  await slack.until((s) =>
    botMessages(s).find((m) => m.threadTs && m.text.includes(BEN) && /request ready/.test(m.text)),
  )
  const words = [
    ["/docs-agent", "status"],
    ["/docs-agent", "one more"],
    ["/docs-visitors", "7d"],
    ["/docs-visitors", "subscriptions"],
  ] as const
  for (const [command, text] of words) {
    const { error, shown } = await slack.as(ADA).slash(DOCS, command, text)
    expect([text, error]).toEqual([text, undefined])
    expect(shown?.text ?? "").not.toMatch(/went wrong/)
  }
  await slack.as(ADA).openHome()
  await slack.as(CLEO).slash(DOCS, "/docs-agent", "audit")
  for (const path of ["readyz", "metrics"]) {
    const answer = await fetch(`http://127.0.0.1:${bot.port}/${path}`)
    expect([path, answer.status]).toEqual([path, 200])
  }
}

/** A damaged record is passed over; one that was in hand just then ends that pass, and is named. */
function isToldOf(line: string, hit: readonly string[]): boolean {
  if (line.includes("skipped an unreadable record")) return true
  const exports = hit.flatMap((damage) => /^\{da\}:v:x:([\w-]+)/.exec(damage)?.[1] ?? [])
  const inHand = line.includes('"loop":"exports"') && line.includes('"failures":1,')
  return inHand && exports.some((id) => line.includes(id))
}

test(
  "whatever is broken in the store, the bot goes on for all others and says so once",
  async () => {
    await holds(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(), damage), { minLength: 1, maxLength: 25 }),
        async (what) => {
          const lines: string[] = []
          await using testBed = await openTestBed(lines)
          await fill(testBed)
          const before = testBed.docs.creations.length
          const hit = await damaged(testBed, what)
          // Which damage it was is what matters when it fails.
          await lifeGoesOn(testBed).catch((cause: unknown) => {
            throw new Error([...hit, ...lines, String(cause)].join("\n"), { cause })
          })

          const prompts = testBed.docs.creations.slice(before).map(({ prompt }) => prompt)
          const told = lines.map((line) => String(JSON.parse(line).key))
          const others = lines.filter((line) => !isToldOf(line, hit))
          expect({ hit, others, unhandled: unhandled.splice(0) }).toEqual({
            hit,
            others: [],
            unhandled: [],
          })
          expect([hit, prompts.sort()]).toEqual([hit, [...new Set(prompts)]])
          expect([hit, told.sort()]).toEqual([hit, [...new Set(told)]])
        },
      ),
      8,
      { endOnFailure: true },
    )
  },
  PATIENCE_MS,
)
