import type { IncomingMessage } from "node:http"
import { text } from "node:stream/consumers"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { outcomeOf } from "../../../src/asking/send-to-agent.ts"
import { DocsError } from "../../../src/docs-service/docs-error.ts"
import { give, type HostileAnswer, hostileAnswer } from "../../helpers/hostile-answers.ts"
import { holds } from "../../helpers/property.ts"
import { docsClientAt, type RawService, startRawService } from "../../helpers/raw-service.ts"
import { type Bed, useTestBed } from "../../helpers/test-bed.ts"
import { ADA, CLEO, DOCS } from "../../sandbox/slack/index.ts"
import { SECRETS } from "../../sandbox/test-bed.ts"

const KEY = "svc_secret_key_of_the_tests"
const TIMEOUT_MS = 400
/** Maximum length in code units of an id and a link, with every character escaped. */
const MOST_TAKEN = 6 * 3500

let service: RawService
let client: ReturnType<typeof docsClientAt>

beforeAll(async () => {
  service = await startRawService()
  client = docsClientAt(service.url, TIMEOUT_MS, KEY)
})
afterAll(async () => {
  await client[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
})

const CALLS = [
  () => client.createJob("docs", "fix it"),
  () => client.getJob("docs", "a job"),
  () =>
    client.visitors("docs", { dateFrom: "2026-11-01", dateTo: "2026-11-02", limit: 50, offset: 0 }),
]

describe("whatever the service answers", () => {
  test("is a valid answer or a DocsError with a reason, and never shows the key", async () => {
    await holds(
      fc.asyncProperty(hostileAnswer(KEY), fc.nat({ max: 2 }), async (answer, n) => {
        service.answer = (_, response) => give(response, answer)
        const result = await CALLS[n]?.().catch((error: unknown) => error)
        // Accepted responses are stored and shown, so they have a limit.
        if (!(result instanceof Error)) {
          expect(JSON.stringify(result ?? "").length).toBeLessThan(MOST_TAKEN)
          expect(JSON.stringify(result ?? "")).not.toContain(KEY)
          return
        }
        expect(result).toBeInstanceOf(DocsError)
        if (!(result instanceof DocsError)) return
        expect(`${result.message} ${result.stack}`).not.toContain(KEY)
        expect(result.message.length).toBeLessThan(600)
        expect(result.retryAfterMs ?? 0).toBeGreaterThanOrEqual(0)
        if (n === 0 && answer.status < 400) expect(outcomeOf(result).kind).toBe("unknown")
      }),
      400,
    )
  })

  test.each(CALLS.map((call, n) => [["create", "get", "visitors"][n], call] as const))(
    "%s ends, however long the answer trickles",
    async (_, call) => {
      const timers: NodeJS.Timeout[] = []
      service.answer = (_request, response) => {
        response.writeHead(200, { "content-type": "application/json" })
        timers.push(setInterval(() => response.write(" "), TIMEOUT_MS / 4))
      }
      const error = await call().catch((thrown: unknown) => thrown)
      for (const timer of timers) clearInterval(timer)
      expect(error).toMatchObject({ fault: "interrupted" })
    },
  )
})

/** Time limit in ms: each case waits for the bot's reaction. */
const PATIENCE_MS = 300_000

/** Log lines that ask an operator to act; any other line is a fault in the bot. */
const PAUSED = /"reason":"(key_refused|forbidden)"/
const { testBed } = useTestBed()

/** Statuses of requests without an effect: only after these is a creation sent again. */
const NOT_TAKEN = [401, 429]

const GOOD: HostileAnswer = { status: 200, headers: {}, body: "", missing: 0 }
const json = (value: object): HostileAnswer => ({ ...GOOD, body: JSON.stringify(value) })

/** Sends the hostile responses first, separately for creations and polls, then good ones. */
function serve(first: { creation: HostileAnswer; polls: readonly HostileAnswer[] }): string[] {
  const created: string[] = []
  const polls = [...first.polls]
  const next = async (request: IncomingMessage): Promise<HostileAnswer> => {
    if (request.method === "GET")
      return polls.shift() ?? json({ id: "ok", status: "completed", prLink: "https://git.example" })
    created.push(await text(request))
    return created.length === 1 ? first.creation : json({ id: "ok", status: "active" })
  }
  service.answer = (request, response) =>
    void next(request).then((answer) => give(response, answer))
  return created
}

/** Clears the bot's pacing for Slack, which these tests don't cover. */
async function unhurried(h: Bed): Promise<void> {
  const store = h.services.workerRedis
  const turns = await store.keys("{da}:turn:*")
  if (turns.length > 0) await store.del(...turns)
}

/** Waits for the closing reply to this request, resuming paused queues as an admin does. */
async function closing(h: Bed, words: string) {
  const found = () => {
    const card = h.botMessages().find((m) => m.threadTs === undefined && m.text.includes(words))
    return h.botMessages().find((m) => card !== undefined && m.threadTs === card.ts)
  }
  await expect
    .poll(
      async () => {
        await h.resumeAll()
        await h.hasten("polls", "outbox")
        return found()
      },
      { interval: 50, timeout: 30_000 },
    )
    .toMatchObject({ botId: expect.any(String) })
}

test(
  "whatever the service answers, a prompt is sent once and gets its ending",
  async () => {
    const lines: string[] = []
    const h = await testBed({
      // With an admin, a pause that needs a person is not logged but posted.
      env: { DOCS_API_URL: service.url, ADMIN_USERS: CLEO },
      log: { write: (line) => void (PAUSED.test(line) || lines.push(line)) },
    })
    const answers = fc.array(hostileAnswer(SECRETS.apiKey), { maxLength: 4 })
    let n = 0
    const sentOnce = fc.asyncProperty(
      hostileAnswer(SECRETS.apiKey),
      answers,
      async (creation, polls) => {
        const created = serve({ creation, polls })
        const words = `prompt number ${++n}.`
        await unhurried(h)
        await h.slack.as(ADA).slash(DOCS, "/docs-agent", words)
        await closing(h, words)

        const mayRepeat = NOT_TAKEN.includes(creation.status) && creation.missing === 0
        // A 403 ends the request, or pauses the queue if the previous one got a 403, too.
        if (creation.status === 403 && creation.missing === 0)
          expect([1, 2]).toContain(created.length)
        else expect(created.length).toBe(mayRepeat ? 2 : 1)
        expect(lines).toEqual([])
      },
    )
    await holds(sentOnce, 20, { endOnFailure: true })
  },
  PATIENCE_MS,
)

test("whatever the service answers about visitors, whoever asks is answered, and the bot is well", async () => {
  const h = await testBed({ env: { DOCS_API_URL: service.url, ANALYTICS_PER_HOUR: "10000" } })
  let day = Date.UTC(2026, 0, 1)
  await holds(
    fc.asyncProperty(hostileAnswer(SECRETS.apiKey), fc.boolean(), async (answer, isGaps) => {
      service.answer = (_, response) => give(response, answer)
      day += 86_400_000
      const words = `${isGaps ? "gaps " : ""}${new Date(day).toISOString().slice(0, 10)}`
      const before = h.slack.ephemerals(ADA).length
      const asked = await h.slack.as(ADA).slash(DOCS, "/docs-visitors", words)
      expect(asked.error).toBeUndefined()
      const told = await h.slack.until((s) =>
        s.ephemerals(ADA).length > before ? s.ephemerals(ADA).at(-1) : undefined,
      )
      expect(told.text).not.toContain("went wrong")
      expect(told.text).not.toContain(SECRETS.apiKey)
      const { workerRedis } = h.services
      for (const key of await workerRedis.keys("{da}:v:hour:*:pause")) await workerRedis.del(key)
      expect(h.lines).toEqual([])
    }),
    40,
  )
})
