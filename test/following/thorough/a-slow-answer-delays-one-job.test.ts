import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { expect, vi } from "vitest"
import { createHttpClient } from "../../../src/lib/http-client.ts"
import { key } from "../../../src/store/redis-keys.ts"
import { startRawService } from "../../helpers/raw-service.ts"
import { READY, useTestBed } from "../../helpers/test-bed.ts"
import { ADA, CLEO, DOCS, EDITORS } from "../../sandbox/slack/index.ts"

const { test, testBed } = useTestBed()

test.for(["users.info", "chat.postMessage"])(
  "while Slack doesn't answer %s about one request, somebody else's gets its pull request",
  async (method) => {
    const h = await testBed({ plan: READY })
    const isAdas = ({ user, channel }: { user?: unknown; channel?: unknown }) =>
      user === ADA || channel === DOCS
    const hangs = h.slack.hold(method, { matching: isAdas })
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", "fix the quickstart")
    await vi.waitFor(() => expect(hangs.hits).toBe(1))

    await h.slack.as(CLEO).slash(EDITORS, "/docs-agent", "fix the changelog")

    await h.botSays(/Your pull request is ready/, { channel: EDITORS })
    expect(hangs.hits).toBe(1)
    hangs.release()
    await h.botSays(/Your pull request is ready/)
  },
)

test("while the service doesn't answer about one job, another one's pull request is told", async () => {
  const h = await testBed({ plan: READY, env: { DOCS_TIMEOUT_MS: "60000" } })
  const hangs = h.docs.fail({ type: "hang", kind: "get", times: 1 })
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "fix the quickstart")
  await h.docsUntil(() => hangs.hits === 1)

  await h.slack.as(CLEO).slash(EDITORS, "/docs-agent", "fix the changelog")

  await h.botSays(/Your pull request is ready/, { channel: EDITORS })
})

test("a Slack that hangs when asked again who somebody is does not hold the queue up", async (h) => {
  await h.pause("jobs")
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "fix the quickstart")
  await h.botSays(/Paused/)
  await h.services.front.store.redis.del(key("own", ADA, "profile"))
  const hangs = h.slack.fail({ kind: "slow", method: "users.info", ms: 60_000 })
  await h.resumeAll()
  await h.docsUntil(({ creations }) => creations.length === 1)
  expect(hangs.hits).toBe(1)
})

setFlagsFromString("--expose-gc")
const collectGarbage: () => void = runInNewContext("gc")

test("a request without an answer ends in time, even after a thousand others", async () => {
  await using service = await startRawService()
  const client = createHttpClient(60_000)
  // V8 optimizes the code after some hundred calls, and then keeps only what is still used.
  for (let call = 0; call < 1000; call += 1) await client.send(service.url)
  service.answer = (_, response) => void response.write("no end")
  const collecting = setInterval(collectGarbage, 10)
  const unended = Array.from({ length: 10 }, () => client.send(service.url, { withinMs: 300 }))
  const endings = await Promise.allSettled(unended).finally(() => clearInterval(collecting))
  expect(endings.map(({ status }) => status)).toEqual(Array(10).fill("rejected"))
})
