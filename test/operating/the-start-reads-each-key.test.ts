import { expect, test } from "vitest"
import { readConfig, secretsOf } from "../../src/config/config.ts"
import { createLog } from "../../src/lib/log.ts"
import { createSecretFilter } from "../../src/lib/secret-filter.ts"
import { warnAboutKeys } from "../../src/operating/doctor/check-service.ts"
import { metricsOf, readyz } from "../helpers/of-itself.ts"
import { botSays } from "../helpers/reading.ts"
import { useTestBed } from "../helpers/test-bed.ts"
import { ADA, DOCS } from "../sandbox/slack/index.ts"

const { testBed } = useTestBed({ env: { LOG_LEVEL: "warn" } })

/** Starts a bot, and then reads its keys as the command line does. */
async function started(more: Record<string, string> = {}) {
  const lines: string[] = []
  const log = { write: (line: string) => void lines.push(line) }
  const h = await testBed({ log })
  const config = readConfig({ ...h.env, ...more })
  const secrets = secretsOf(config)
  const { service } = h.services.callCounts
  await warnAboutKeys(config, createSecretFilter(secrets), createLog("warn", secrets, log), service)
  return { h, lines }
}

test("OPS-4, OPS-5: a bot that is well reads its key, and logs nothing at `warn` from its start to a result", async () => {
  const { h, lines } = await started()
  expect(await metricsOf(h.bot)).toContain(
    'service_calls_total{operation="get_job",outcome="not_found"} 1\n',
  )
  h.docs.planAll({ ending: "pull_request", afterMs: 20 })
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "write the guide")
  await botSays(h, /request is ready/)
  expect(h.docs.requests.some(({ path }) => path.includes("key-check"))).toBe(true)
  expect(lines).toEqual([])
})

test("OPS-5: a key that is refused is a warning with the way out, and the bot runs", async () => {
  const { h, lines } = await started({ DOCS_API_KEY: "svc_of_last_quarter" })
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    level: "warn",
    next: expect.stringContaining("DOCS_API_KEY"),
  })
  expect(lines[0]).not.toContain("svc_of_last_quarter")
  expect((await readyz(h.bot)).status).toBe(200)
})
