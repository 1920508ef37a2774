import { z } from "zod"
import { numberField, parseRecord } from "../store/record-fields.ts"
import { createRecords, type OnBroken } from "../store/records.ts"
import type { Store } from "../store/script.ts"
import { pauseReasons } from "./creation-outcome.ts"
import { dispatchOf, queueKeys, TROUBLES } from "./job-keys.ts"

const healthShape = z.object({
  rev: numberField.optional(),
  reason: z.enum(pauseReasons).optional(),
  since: numberField.optional(),
  /** Time of the restored backup; absent if nobody knows. */
  backupAt: numberField.optional(),
  /**
   * End of the pause. `ever`: an admin or another key than `key` ends it; `read`: an accepted read
   * does so, too, because the service also refuses reads.
   */
  until: z.union([z.literal(["ever", "read"]), numberField]).optional(),
  tries: numberField.default(0),
  /** Fingerprint of the key that the service refused; kept while another one is accepted. */
  key: z.string().optional(),
})

/** Standing of a queue with the service. Without a `reason` the queue is not paused. */
export type Health = z.infer<typeof healthShape>

export type HealthStore = ReturnType<typeof createHealthStore>

/** @param isServed whether the settings still have the project of this queue */
export function createHealthStore(
  store: Store,
  onBroken: OnBroken,
  isServed: (queue: string) => boolean = () => true,
) {
  const record = (queue: string) => queueKeys(queue).pause
  const parse = (queue: string, hash: object) => parseRecord(healthShape, `pause of ${queue}`, hash)
  const records = createRecords(store, { record, parse }, onBroken)
  return {
    async read(queue: string): Promise<Health> {
      if (!isServed(queue)) return { reason: "removed", until: "ever", tries: 0 }
      return (await records.find(queue)) ?? { tries: 0 }
    },

    async change(
      queue: string,
      decide: (health: Health, now: number) => Partial<Health> | undefined,
    ) {
      const changed = await records.change(queue, (before = { tries: 0 }, now) => {
        const set = decide(before, now)
        const ops = [dispatchOf(queue), TROUBLES].map((what) => ({ do: "tell", what }) as const)
        return set ? { write: { set, ops }, result: true } : { result: false }
      })
      return changed === true
    },
  }
}
