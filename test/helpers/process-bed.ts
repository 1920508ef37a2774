import { eventsUrl, startOtherParties, type TestBedOptions } from "../sandbox/test-bed.ts"
import { type BotProcess, launch, untilStarted } from "./process.ts"
import { reading } from "./reading.ts"
import { letGrant, startRedisServer } from "./redis-server.ts"

export type ProcessBed = Awaited<ReturnType<typeof startProcessBed>>

/** Starts a Redis that grants at once, and the other parties, for bots in processes of their own. */
export async function startProcessBed(options: Omit<TestBedOptions, "address"> = {}) {
  const server = await startRedisServer()
  await letGrant(server.client)
  const parties = await startOtherParties(options)
  const env: Record<string, string> = {
    ...parties.env,
    REDIS_URL: server.url,
    ...options.env,
  }
  const running: BotProcess[] = []
  return reading({
    ...parties,
    server,
    env,
    /**
     * Starts a bot, which Slack calls from now on if it takes requests.
     * @param main another program in its place; absent: the built bot
     */
    async start(type: string, main?: string) {
      const bot = await untilStarted(launch([type], env, main))
      running.push(bot)
      if (type !== "worker") parties.slack.setEventsUrl(eventsUrl(bot.port))
      return bot
    },
    /** Ends them all. */
    async [Symbol.asyncDispose]() {
      for (const one of [...running, parties, server]) await one[Symbol.asyncDispose]()
    },
  })
}
