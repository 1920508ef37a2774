import { setTimeout as delay } from "node:timers/promises"
import pidusage from "pidusage"
import { type Bench, median } from "./figure.ts"
import { BARE_BOLT, BULLMQ_APP, createSetting, type Setting } from "./setting.ts"

const ROUNDS = 5
/** Time in ms before memory is read: garbage from the start is collected by then. */
const SETTLE_MS = 600
const MB = 2 ** 20

export const start: Bench = {
  title: "`all`: from launch to ready, and memory at rest",
  reference: BARE_BOLT,
  figures: [
    { what: "until ready", unit: "ms", atMost: 1000 },
    { what: "memory", unit: "MB", atMost: 120 },
  ],

  async measure(share, main) {
    await using setting = await createSetting()
    const [ready, resident]: [number[], number[]] = [[], []]
    for (let round = 0; round <= Math.max(1, ROUNDS * share); round += 1) {
      const began = performance.now()
      await using program = await setting.start("all", main)
      const readyMs = performance.now() - began
      await delay(SETTLE_MS)
      // The first start fills the disk cache.
      if (round === 0) continue
      ready.push(readyMs)
      resident.push((await pidusage(program.pid)).memory / MB)
    }
    return [median(ready), median(resident)]
  },
}

/** Time in ms after which the work that follows a start is over. */
const SETTLING_MS = 15_000
const QUIET_MS = 60_000

export const idle: Bench = {
  title: "`all` while nobody asks for anything",
  reference: BULLMQ_APP,
  figures: [{ what: "Redis round trips", unit: "/s", atMost: 2 }],

  async measure(share, main) {
    await using setting = await createSetting()
    await setting.start("all", main)
    await delay(SETTLING_MS * share)
    const before = await roundTrips(setting)
    await delay(QUIET_MS * share)
    return [(((await roundTrips(setting)) - before) * 1000) / (QUIET_MS * share)]
  },
}

/** Returns the number of reads by Redis so far: commands that are sent together count once. */
async function roundTrips({ server: { client } }: Setting): Promise<number> {
  return Number(/total_reads_processed:(\d+)/.exec(await client.info("stats"))?.[1])
}
