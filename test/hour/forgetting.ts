import { keys } from "../../src/redis/keys.ts"
import { snapshot } from "../helpers/redis-server.ts"
import { COLD_MS, PROJECT } from "./times.ts"
import type { World } from "./world.ts"

/**
 * Redis forgets: everything, as without an append-only file, or the last moments, as with one that
 * is flushed each second. The processes live on and report when they notice.
 */
export function forgetNowAndThen(world: World): void {
  const { dice, timeline, weather } = world
  if (weather.forgetEveryMs === 0) return
  const again = () => timeline.after(weather.forgetEveryMs * dice.between(0.2, 1.8), forget)
  const forget = async () => {
    if (dice.chance(0.4)) {
      await world.redis.flushdb()
      await noticed(world)
    } else {
      const restore = await snapshot(world.redis)
      timeline.after(dice.between(0, 2000), async () => {
        await restore()
        await noticed(world)
      })
    }
    again()
  }
  again()
}

async function noticed(world: World): Promise<void> {
  const { dice, ledger, redis, timeline } = world
  ledger.counts.forgotten += 1
  // The run of the server is another one; here it is the same server, so its note is taken away.
  await redis.del(keys.epoch)
  const still = new Set(await redis.zrange(keys.project(PROJECT).wait, "0", "-1"))
  for (const [id, entry] of ledger.waiting) {
    if (!still.has(id)) ledger.waiting.delete(id)
    // Tags go back as well: whom it overtook is not counted over that moment.
    entry.single = false
  }
  for (const process of world.processes)
    timeline.after(dice.between(0, COLD_MS * 0.9), () => process.reseed())
}
