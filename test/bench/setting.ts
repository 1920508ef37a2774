import { fileURLToPath } from "node:url"
import { startProcessBed } from "../helpers/process-bed.ts"

export type Setting = Awaited<ReturnType<typeof createSetting>>

/** Bolt app that uses BullMQ, with which the whole path of a request is compared. */
export const BULLMQ_APP = fileURLToPath(new URL("bullmq-app.js", import.meta.url))
/** Bolt app that only acknowledges. */
export const BARE_BOLT = fileURLToPath(new URL("bolt-app.js", import.meta.url))

/** Starts a Redis and the local services for the programs being measured. */
export async function createSetting(given: Record<string, string> = {}) {
  const usual = { LOG_LEVEL: "info", MAX_QUEUED_PER_USER: "500", RESERVED_SLOTS: "0" }
  const bed = await startProcessBed({ env: { ...usual, ...given } })
  return {
    ...bed,
    /** Starts the built bot until it is ready, or another program; disposing of the setting stops it. */
    async start(type: string, main?: string) {
      const program = await bed.start(type, main)
      if (!main) await untilReady(program.port)
      return program
    },
  }
}

async function untilReady(port: number): Promise<void> {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
    await answer?.body?.cancel()
    if (answer?.status === 200) return
  }
}
