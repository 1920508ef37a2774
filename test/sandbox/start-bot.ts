import { compose } from "../../src/compose.ts"
import type { Config, Timing } from "../../src/config/config.ts"
import { defined } from "../../src/lib/json.ts"
import type { Log } from "../../src/lib/log.ts"
import { startProcess } from "../../src/process.ts"
import type { Address } from "../../src/store/connect.ts"
import { goByClock } from "./clock/redis-time.ts"
import type { MovableClock } from "./kit/movable-clock.ts"

export interface BotOptions {
  address: Address
  /** Folder in which workers remember what they sent; absent if they remember nothing. */
  dataDir?: string
  /** Wait in ms before the first grant of a Redis without data. */
  coldMs?: number
  /** Timing that differs from that of every deployment. */
  timing?: Partial<Timing>
  /** Clock for all services; without it, each uses this machine's clock. */
  clock?: MovableClock
}

/** Starts the bot as it runs in production, `web` and `worker` in one process. */
export async function startBot(
  config: Config,
  log: Log,
  { address, dataDir, coldMs = 0, timing = {}, clock }: BotOptions,
) {
  const services = compose(config, log, {
    address,
    ...defined({ dataDir }),
    timing: { ...timing, coldMs },
  })
  if (clock) {
    goByClock(services.requestRedis, clock)
    goByClock(services.workerRedis, clock)
  }
  const bot = await startProcess("all", services, (reason) => {
    throw new Error(reason)
  }).catch(async (error) => {
    await services[Symbol.asyncDispose]()
    throw error
  })
  return {
    services,
    bot,
    /** Stops the bot gracefully, as on SIGTERM. */
    async stop() {
      await bot.stop()
      await services[Symbol.asyncDispose]()
    },
  }
}
