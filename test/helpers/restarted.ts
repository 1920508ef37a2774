import { readConfig } from "../../src/config/config.ts"
import type { Timing } from "../../src/config/timing.ts"
import { startProcess } from "../../src/process.ts"
import { createLog } from "../../src/runtime/log.ts"
import { createServices, type Services } from "../../src/services/services.ts"
import type { TestBed } from "../sandbox/test-bed.ts"
import { FAST_ENV, FAST_TIMING } from "./test-bed.ts"

export interface Again {
  /** On top of what every bot of the test bed has. */
  env?: Readonly<Record<string, string | undefined>>
  timing?: Partial<Timing>
  log?: { write(line: string): void }
}

/** The worker stops, and another one starts on the same store with other settings. */
export async function restarted(
  h: TestBed,
  { env = {}, timing = FAST_TIMING, log = { write() {} } }: Again = {},
): Promise<{ services: Services } & AsyncDisposable> {
  await h.bot.worker?.stop()
  const config = readConfig({ PORT: "0", ...h.env, ...FAST_ENV, ...env })
  const where = { address: h.address, coldMs: 0, timing }
  const services = createServices(config, createLog(config.logLevel, [], log), where)
  const bot = await startProcess("worker", services, () => {})
  return {
    services,
    async [Symbol.asyncDispose]() {
      await bot.stop()
      await services[Symbol.asyncDispose]()
    },
  }
}
