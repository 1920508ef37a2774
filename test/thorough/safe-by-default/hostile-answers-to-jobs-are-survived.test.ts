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
import { ADA, CLEO, DOCS } from "../../sandbox/slack/seed/ids.ts"
import { SECRETS, type TestBed } from "../../sandbox/test-bed.ts"

/** Each case waits for what the bot makes of it. ms */
const PATIENCE_MS = 300_000

/** That somebody has to act is what an operator should read; any other line is a fault of ours. */
const PAUSED = /"reason":"(key_refused|forbidden)"/
const testBed = useTestBed()

/** Answers that certainly had no effect: only after these is a creation sent again. */
const NOT_TAKEN = [401, 429]

const GOOD: HostileAnswer = { status: 200, headers: {}, body: "", missing: 0 }
const json = (value: object): HostileAnswer => ({ ...GOOD, body: JSON.stringify(value) })

/** Gives the hostile answers first, each kind of request its own, and good ones then. */
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

/** Slack's pace is not what is looked at here. */
async function unhurried(h: TestBed): Promise<void> {
  const store = h.services.workerRedis
  const turns = await store.keys("{da}:turn:*")
  if (turns.length > 0) await store.del(...turns)
}

/** The closing reply about these words; a queue that paused is resumed, as an admin does. */
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
        // A pause that needs a person is told to one, not to the log.
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
          // A 403 ends the request, or pauses where the one before was answered so, too.
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
