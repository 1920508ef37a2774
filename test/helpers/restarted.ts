import { readConfig, type Timing } from "../../src/config/config.ts"
import { defined } from "../../src/lib/json.ts"
import { createLog } from "../../src/lib/log.ts"
import type { MovableClock } from "../sandbox/kit/movable-clock.ts"
import { startBot } from "../sandbox/start-bot.ts"
import { eventsUrl } from "../sandbox/test-bed.ts"
import { surprises, type WatchedTestBed } from "./silence.ts"
import { FAST_ENV, FAST_TIMING } from "./test-bed.ts"

interface Again {
  /** Additional environment variables, on top of the test bed's. */
  env?: Readonly<Record<string, string>>
  timing?: Partial<Timing>
  /** Folder with what earlier bots of this machine sent; absent if it is lost. */
  dataDir?: string
  log?: { write(line: string): void }
  /** Clock of the test bed, if it has one. */
  clock?: MovableClock
}

/** Stops the worker and starts another bot on the same store; Slack now calls that one. */
export async function restarted(h: WatchedTestBed, again: Again = {}) {
  await h.bot.worker?.stop()
  h.isReplaced = true
  return joined(h, again)
}

/** Starts another bot beside the first, on the same store; Slack now calls that one. */
export async function joined(
  h: WatchedTestBed,
  { env = {}, timing = FAST_TIMING, log = { write() {} }, clock, dataDir }: Again = {},
) {
  const config = readConfig({ PORT: "0", ...h.env, ...FAST_ENV, ...env })
  const where = { address: h.address, timing, ...defined({ dataDir, clock }) }
  const started = await startBot(config, createLog(config.logLevel, [], log), where)
  const { services, bot } = started
  h.slack.setEventsUrl(eventsUrl(bot.port))
  return {
    port: bot.port,
    bot,
    services,
    posts: async () => bot.worker?.passes.posts?.() ?? 0,
    async [Symbol.asyncDispose]() {
      const { slack, docs, goesOn } = h
      const found = await surprises({ slack, docs, services, bot, goesOn })
      await started.stop()
      if (found.length > 0) throw new Error(`The bot did what it should not:\n${found.join("\n")}`)
    },
  }
}

/** Moves the clock on, and lets a bot's worker look after Redis, as it does every few seconds. */
export async function pass(
  { bot }: { bot: Pick<WatchedTestBed["bot"], "worker"> },
  clock: MovableClock,
  minutes: number,
): Promise<void> {
  clock.moveOn(minutes * 60_000)
  await bot.worker?.passes.care?.()
}
