import type { Log } from "./lib/log.ts"

/** Time limits in ms after SIGTERM for the work in flight and the process: Docker waits 10 s. */
export const STOPPING = { workMs: 8000, processMs: 9500 } as const

/** Finishes the work in flight at the first signal, in limited time; exits at the second. */
export function stopOnSignals(log: Log, stop: () => Promise<void>): void {
  let stopping = false
  const handle = async (signal: NodeJS.Signals) => {
    if (stopping) process.exit(1)
    stopping = true
    log.info({ signal }, "stopping")
    setTimeout(() => {
      log.warn("stopped with work unfinished; it resumes when a worker runs")
      process.exit(0)
    }, STOPPING.processMs).unref()
    try {
      await stop()
      log.info("stopped")
      process.exit(0)
    } catch (error) {
      log.error({ error }, "couldn't stop cleanly")
      process.exit(1)
    }
  }
  // A closed terminal sends SIGHUP, which would leave the bot's own redis-server running.
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
    process.on(signal, () => void handle(signal))
}
