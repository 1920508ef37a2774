import { setTimeout as delay } from "node:timers/promises"
import type { RedisServer } from "../helpers/redis-server.ts"
import type { Bench } from "./figure.ts"
import { BULLMQ_APP, createSetting } from "./setting.ts"

/** Time in ms after which the work that follows a start is over. */
const SETTLING_MS = 15_000
const QUIET_MS = 60_000

export const idle: Bench = {
  title: "`all` while nobody asks for anything",

  async run({ share }) {
    const reference = await perSecond(share, BULLMQ_APP)
    const value = await perSecond(share)
    return [{ what: "Redis round trips", unit: "/s", value, reference, atMost: 2 }]
  },
}

/** Returns the round trips a second of one idle process. @param main absent: ours */
async function perSecond(share: number, main?: string): Promise<number> {
  await using setting = await createSetting()
  await setting.start("all", main)
  await delay(SETTLING_MS * share)
  const before = await roundTrips(setting.redis)
  await delay(QUIET_MS * share)
  return (((await roundTrips(setting.redis)) - before) * 1000) / (QUIET_MS * share)
}

/** Returns the number of reads by Redis so far: commands that are sent together count once. */
async function roundTrips({ client }: RedisServer): Promise<number> {
  return Number(/total_reads_processed:(\d+)/.exec(await client.info("stats"))?.[1])
}
