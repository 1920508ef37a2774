import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createDocsClient } from "../../../src/docs-service/docs-client.ts"
import { DocsError } from "../../../src/docs-service/docs-error.ts"
import { outcomeOf } from "../../../src/jobs/creation-outcome.ts"
import { secret } from "../../../src/lib/secret.ts"
import { createSecretFilter } from "../../../src/lib/secret-filter.ts"
import { give, hostileAnswer } from "../../helpers/hostile-answers.ts"
import { holds } from "../../helpers/property.ts"
import { type RawService, startRawService } from "../../helpers/raw-service.ts"

const KEY = "svc_secret_key_of_the_tests"
const TIMEOUT_MS = 400
/** Maximum length in code units of an id and a link, with every character escaped. */
const MOST_TAKEN = 6 * 3500

let service: RawService
let client: ReturnType<typeof createDocsClient>

beforeAll(async () => {
  service = await startRawService()
  client = createDocsClient(
    {
      baseUrl: service.url,
      jobPath: "/v2/agent/{projectId}/job/{jobId}",
      timeoutMs: TIMEOUT_MS,
      projects: [{ key: "docs", id: "docs", apiKey: secret(KEY) }],
    },
    createSecretFilter([KEY]),
  )
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

  test("a body without end is not taken in", async () => {
    service.answer = (_, response) => {
      response.writeHead(200, { "content-type": "application/json" })
      const more = () => {
        while (response.write(" ".repeat(65_536)) && !response.destroyed);
        if (!response.destroyed) response.once("drain", more)
      }
      more()
    }
    const error = await client.getJob("docs", "a job").catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ fault: "interrupted" })
  })
})
