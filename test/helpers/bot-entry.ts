import { z } from "zod"
import { compose } from "../../src/compose.ts"
import { readConfig, secretsOf } from "../../src/config/config.ts"
import { createLog } from "../../src/lib/log.ts"
import { startProcess } from "../../src/process.ts"
import { openStore } from "../../src/store/embedded-redis.ts"

// Runs the bot as `src/command-line.ts` composes it, with other intervals:
// `node bot-entry.ts <type> <circumstances>`. Handles no signals, because it is always killed.
const rate = z.tuple([z.number(), z.number()])
const circumstances = z.strictObject({
  coldMs: z.number(),
  timing: z.strictObject({
    leaseMs: z.number(),
    slackTimeoutMs: z.number(),
    probeMs: z.number(),
    pulls: z.strictObject({
      firstMs: z.number(),
      soonestMs: z.number(),
      longestMs: z.number(),
      eachMs: z.number(),
    }),
    rates: z.strictObject({ channelPost: rate, workspacePost: rate, edit: rate, session: rate }),
    pauses: z.strictObject({
      firstMs: z.number(),
      outageFirstMs: z.number(),
      longestMs: z.number(),
    }),
  }),
})

const type = z.enum(["web", "worker"]).parse(process.argv[2])
const { coldMs, timing } = circumstances.parse(JSON.parse(process.argv[3] ?? ""))
const config = readConfig(process.env)
const log = createLog(config.logLevel, secretsOf(config))
const die = (error: unknown) => {
  log.fatal({ error }, "exiting; the service manager should restart this process")
  process.exit(1)
}
process.on("unhandledRejection", die)
try {
  const store = await openStore(config.store, process.env.PATH, type, log, die)
  const services = compose(config, log, { ...store, timing: { ...timing, coldMs } })
  await startProcess(type, services, die)
} catch (error) {
  die(error)
}
