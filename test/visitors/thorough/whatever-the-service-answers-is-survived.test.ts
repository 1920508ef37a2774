import fc from "fast-check"
import { afterAll, beforeAll, expect, test } from "vitest"
import { give, hostileAnswer } from "../../helpers/hostile-answers.ts"
import { holds } from "../../helpers/property.ts"
import { type RawService, startRawService } from "../../helpers/raw-service.ts"
import { useTestBed } from "../../helpers/test-bed.ts"
import { ADA, DOCS } from "../../sandbox/slack/index.ts"
import { SECRETS } from "../../sandbox/test-bed.ts"

const { testBed } = useTestBed()
const unhandled: unknown[] = []
const note = (error: unknown) => void unhandled.push(error)
let service: RawService

beforeAll(async () => {
  process.on("unhandledRejection", note)
  service = await startRawService()
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  process.off("unhandledRejection", note)
})

test("whatever the service answers about visitors, whoever asks is answered, and the bot is well", async () => {
  const h = await testBed({
    env: { DOCS_API_URL: service.url, ANALYTICS_PER_HOUR: "10000" },
  })
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
      expect(unhandled).toEqual([])
      expect(h.lines).toEqual([])
    }),
    40,
  )
})
