import { compose } from "../../src/compose.ts"
import { readConfig, secretsOf } from "../../src/config/config.ts"
import { createLog } from "../../src/lib/log.ts"
import { startProcess } from "../../src/process.ts"
import { openStore } from "../../src/store/embedded-redis.ts"
import { CAMPAIGN } from "../chaos/timing.ts"

// Runs one process of a campaign as `src/command-line.ts` composes it, with other intervals:
// `node bot-entry.ts web` or `worker`. Handles no signals, because it is always killed.
const type = process.argv[2] === "web" ? "web" : "worker"
const config = readConfig(process.env)
const log = createLog(config.logLevel, secretsOf(config))
const die = (error: unknown) => {
  log.fatal({ error }, "exiting; the service manager should restart this process")
  process.exit(1)
}
process.on("unhandledRejection", die)
try {
  const store = await openStore(config.store, process.env.PATH, type, log, die)
  const services = compose(config, log, { ...store, timing: CAMPAIGN })
  await startProcess(type, services, die)
} catch (error) {
  die(error)
}
