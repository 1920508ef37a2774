import { Redis } from "ioredis"
import { expect, onTestFinished, test } from "vitest"
import { checkRedis } from "../../src/operating/doctor/check-redis.ts"
import { runDoctor } from "../../src/operating/doctor/run-doctor.ts"
import { askUntil } from "../helpers/asked.ts"
import { useTestRedis } from "../helpers/redis.ts"
import { bedAt } from "../helpers/test-bed.ts"
import { OTHER_TEAM } from "../sandbox/slack/index.ts"
import { startOtherParties } from "../sandbox/test-bed.ts"

const redis = useTestRedis()

const start = (slack = {}) => bedAt(redis().url, { slack })

test("OPS-12: a bot of another workspace doesn't start on a Redis in use, and does none of its work", async () => {
  const anothers = { team: OTHER_TEAM }
  await using h = await start()
  await expect(start(anothers)).rejects.toThrow(/another workspace.*REDIS_URL/)

  await using others = await startOtherParties({ slack: anothers })
  const { output, well } = await runDoctor(
    { ...others.env, REDIS_URL: redis().url },
    { json: false },
  )
  expect(output).toMatch(/fault +redis +Redis holds the data of another workspace's/)
  expect(well).toBe(false)

  h.docs.planAll({ ending: "pull_request", afterMs: 20 })
  await h.restartBot()
  await askUntil(h, "fix the quickstart", /request is ready/)
})

test("of two bots that start at once on an empty Redis, one has it", async () => {
  await redis().flush()
  const starting = [start(), start({ team: OTHER_TEAM })]
  const settled = await Promise.allSettled(starting)
  for (const one of settled) if (one.status === "fulfilled") await one.value[Symbol.asyncDispose]()
  expect(settled.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"])
})

const config = { store: { kind: "embedded", dataDir: "" }, isInContainer: true } as const

test.each([
  ["0.1.0", "{da}:projects"],
  ["a version whose jobs had no rounds", "{da}:team"],
])(
  "OPS-14: a start on data of %s says what to do, as does the doctor, and changes none of it",
  async (_, key) => {
    await redis().flush()
    const client = new Redis(redis().url)
    onTestFinished(() => client.disconnect())
    await client.hset(key, "docs-site", "docs-site")
    const starting = start()
    await expect(starting).rejects.toThrow(
      /data from an earlier Docs Agent.*REDIS_URL.*or DATA_DIR/,
    )
    const says = expect.stringMatching(/data from an earlier Docs Agent/)
    expect(await checkRedis(client, config)).toMatchObject([{ level: "fault", says }])
    expect(await client.keys("{da}:job:*")).toEqual([])
  },
)
