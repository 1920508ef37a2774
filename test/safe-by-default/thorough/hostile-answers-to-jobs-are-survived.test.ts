import type { IncomingMessage } from "node:http"
import { text } from "node:stream/consumers"
import fc from "fast-check"
import { expect, test } from "vitest"
import { give, type HostileAnswer, hostileAnswer } from "../../helpers/hostile-answers.ts"
import { holds } from "../../helpers/property.ts"
import { hasten, resumeAll } from "../../helpers/put-off.ts"
import { type RawService, startRawService } from "../../helpers/raw-service.ts"
import { botMessages } from "../../helpers/reading.ts"
import { useTestBed } from "../../helpers/test-bed.ts"
import { ADA, CLEO, DOCS } from "../../sandbox/slack/index.ts"
import { SECRETS, type TestBed } from "../../sandbox/test-bed.ts"

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
function serve(
  service: RawService,
  first: { creation: HostileAnswer; polls: readonly HostileAnswer[] },
): string[] {
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
async function unhurried(h: TestBed): Promise<void> {
  const store = h.services.workerRedis
  const turns = await store.keys("{da}:turn:*")
  if (turns.length > 0) await store.del(...turns)
}

/** Waits for the closing reply to this request, resuming paused queues as an admin does. */
async function closing(h: TestBed, words: string) {
  const { slack } = h
  const found = () => {
    const card = botMessages(slack).find((m) => m.threadTs === undefined && m.text.includes(words))
    return botMessages(slack).find((m) => card !== undefined && m.threadTs === card.ts)
  }
  await expect
    .poll(
      async () => {
        await resumeAll(h)
        await hasten(h, "polls", "outbox")
        return found()
      },
      { interval: 50, timeout: 30_000 },
    )
    .toMatchObject({ botId: expect.any(String) })
}

test(
  "whatever the service answers, a prompt is sent once and gets its ending",
  async () => {
    await using service = await startRawService()
    const lines: string[] = []
    const h = await testBed({
      env: {
        DOCS_API_URL: service.url,
        // With an admin, a pause that needs a person is not logged but posted.
        ADMIN_USERS: CLEO,
      },
      log: { write: (line) => void (PAUSED.test(line) || lines.push(line)) },
    })
    let n = 0
    await holds(
      fc.asyncProperty(
        hostileAnswer(SECRETS.apiKey),
        fc.array(hostileAnswer(SECRETS.apiKey), { maxLength: 4 }),
        async (creation, polls) => {
          const created = serve(service, { creation, polls })
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
      ),
      20,
      { endOnFailure: true },
    )
  },
  PATIENCE_MS,
)
