import { eventsUrl, startOtherParties, type TestBedOptions } from "../sandbox/test-bed.ts"
import { type BotProcess, startBot } from "./process.ts"
import { reading } from "./reading.ts"

export type ProcessBed = Awaited<ReturnType<typeof startProcessBed>>

/** Starts the other parties, for bots in processes of their own. Disposal ends them all. */
export async function startProcessBed(
  given: Record<string, string>,
  options: Omit<TestBedOptions, "address"> = {},
) {
  const parties = await startOtherParties(options)
  const { slack, docs } = parties
  const env = { ...parties.env, ...given }
  const running: BotProcess[] = []
  return reading({
    slack,
    docs,
    env,
    /**
     * Starts a bot, which Slack calls from now on if it takes requests.
     * @param main another program in its place; absent: the built bot
     */
    async start(type: string, main?: string) {
      const bot = await startBot(type, env, main)
      running.push(bot)
      if (type !== "worker") slack.setEventsUrl(eventsUrl(bot.port))
      return bot
    },
    async [Symbol.asyncDispose]() {
      for (const bot of running) await bot[Symbol.asyncDispose]()
      await parties[Symbol.asyncDispose]()
    },
  })
}
