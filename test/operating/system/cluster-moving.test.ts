import { afterEach, beforeEach, expect, test } from "vitest"
import { createLog } from "../../../src/lib/log.ts"
import { secret } from "../../../src/lib/secrets.ts"
import { takeTurn } from "../../../src/slack/rate-limits.ts"
import { connectRedis } from "../../../src/store/connect.ts"
import { key } from "../../../src/store/redis-keys.ts"
import type { RedisClient } from "../../../src/store/script.ts"
import { type RedisCluster, startRedisCluster } from "../../helpers/redis-cluster.ts"

const HOUR_MS = 3_600_000
/** Number of turns available at once, with no more during a test. */
const AT_ONCE = 4
const RATES = {
  edit: [HOUR_MS, AT_ONCE],
  session: [HOUR_MS, AT_ONCE],
  channelPost: [HOUR_MS, AT_ONCE],
  workspacePost: [HOUR_MS, 2 * AT_ONCE],
} as const

let cluster: RedisCluster
let redis: RedisClient

beforeEach(async () => {
  cluster = await startRedisCluster()
  const urls = cluster.url.split(",").map((url) => secret(url))
  redis = connectRedis({ kind: "cluster", urls }, "requests", createLog("silent", []))
})
afterEach(async () => {
  redis.disconnect()
  await cluster[Symbol.asyncDispose]()
})

// Redis's documents: "all names of keys that a script accesses must be explicitly provided as input
// key arguments". Without keys, a cluster can't tell that a script needs keys that are moving.
test.each(["answer", "post"] as const)(
  "the turns that Slack allows are given out once while their keys move to another node: %s",
  async (kind) => {
    const store = { redis, now: undefined }
    const take = () =>
      takeTurn(store, RATES, kind, "C1").then((ms) => (ms === 0 ? "taken" : "full"))
    let taken = 0
    for (; taken < AT_ONCE; taken += 1) expect(await take()).toBe("taken")
    // These keys move first: a node lists its newest keys first.
    for (let n = 0; n < 9; n += 1) await redis.set(key("before", String(n)), "1")

    const { other } = await cluster.settled()
    await cluster.migrate(other, async () => {
      expect(await take().catch(() => "refused")).toBe("refused")
    })

    expect((await cluster.settled()).owner).toBe(other)
    expect(await take()).toBe("full")
  },
)
