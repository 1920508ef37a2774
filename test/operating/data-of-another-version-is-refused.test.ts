import { Redis } from "ioredis"
import { expect, test } from "vitest"
import { secret } from "../../src/lib/secret.ts"
import { checkRedis } from "../../src/operating/doctor/check-redis.ts"
import { startTestRedis } from "../helpers/redis.ts"
import { FAST_ENV, FAST_TIMING } from "../helpers/test-bed.ts"
import { startTestBed } from "../sandbox/test-bed.ts"

const config = { store: { kind: "embedded", dataDir: "" }, isInContainer: true } as const
const EARLIER = [
  ["0.1.0", "{da}:projects"],
  ["a version whose jobs had no rounds", "{da}:team"],
] as const

test.each(EARLIER)(
  "OPS-14: a start on data of %s says what to do, as does the doctor, and changes none of it",
  async (_, key) => {
    const redis = await startTestRedis()
    const client = new Redis(redis.url)
    try {
      await client.hset(key, "docs-site", "docs-site")
      const starting = startTestBed({
        address: { kind: "server", url: secret(redis.url) },
        timing: FAST_TIMING,
        env: FAST_ENV,
        log: { write() {} },
      })
      await expect(starting).rejects.toThrow(
        /data from an earlier Docs Agent.*REDIS_URL.*or DATA_DIR/,
      )
      const says = expect.stringMatching(/data from an earlier Docs Agent/)
      expect(await checkRedis(client, config)).toMatchObject([{ level: "fault", says }])
      expect(await client.keys("{da}:job:*")).toEqual([])
    } finally {
      client.disconnect()
      await redis.stop()
    }
  },
)
