import { afterAll, beforeAll, beforeEach } from "vitest"
import { secret } from "../../src/config/secret.ts"
import { type House, type HouseOptions, startHouse } from "../sandbox/test-bed.ts"
import { startTestRedis, type TestRedis } from "./redis.ts"

/** Fast enough for tests, with every rule of production in force. */
export const FAST_PACE = { gapMs: 150, restMs: 50 }
const FAST_ENV = { POLL_MIN_MS: "50", POLL_MAX_MS: "200", LOG_LEVEL: "error" }

/**
 * A house for each test of the file on one Redis, emptied in between. After each test the local
 * Slack must have seen nothing that we would not send.
 */
export function useHouse(options: Omit<HouseOptions, "address"> = {}) {
  const running: { redis?: TestRedis; houses: House[] } = { houses: [] }

  beforeAll(async () => {
    running.redis = await startTestRedis()
  })

  beforeEach(() => async () => {
    for (const house of running.houses.splice(0)) {
      const seen = [...house.slack.violations]
      await house[Symbol.asyncDispose]()
      if (seen.length > 0) throw new Error(`Slack saw what it should not:\n${seen.join("\n")}`)
    }
  })

  afterAll(async () => {
    await running.redis?.stop()
  })

  return async (more: Omit<HouseOptions, "address"> = {}): Promise<House> => {
    if (!running.redis) throw new Error("The store is not started yet")
    await running.redis.flush()
    const house = await startHouse({
      log: { write() {} },
      pace: FAST_PACE,
      ...options,
      ...more,
      env: { ...FAST_ENV, ...options.env, ...more.env },
      address: { kind: "server", url: secret(running.redis.url) },
      docs: { ...options.docs, ...more.docs },
      slack: { ...options.slack, ...more.slack },
    })
    running.houses.push(house)
    return house
  }
}
