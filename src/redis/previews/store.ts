import { randomUUID } from "node:crypto"
import type { PreviewStore } from "../../previews/ports.ts"
import { jobKeys, keys } from "../keys.ts"
import type { Now, RedisClient } from "../script.ts"
import { askPreview, claimPreviews, recordPreview, takePreviewSlot } from "./store.lua.ts"

/** "5 a minute and organization", which the service's key belongs to. */
const PER_MINUTE = 5
const MINUTE_MS = 60_000
/** Of these the last so many are kept for people who have asked for none in the minute. */
const KEPT = 2

/** @param options `accountOf`: whose minute a project's previews count in */
export function createPreviewStore(
  redis: RedisClient,
  options: { leaseMs: number; accountOf: (project: string) => string; now?: Now },
): PreviewStore {
  const on = { redis, now: options.now }
  return {
    async ask(id, by, after = 0) {
      return (await askPreview(on, jobKeys(id), { id, by, after })) === 1
    },

    async claim(limit) {
      const args = { limit, leaseMs: options.leaseMs }
      const [now, lease, ids] = await claimPreviews(on, keys, args)
      return { now, lease, ids }
    },

    async record(lease, id, preview, { waitMs = "", isNews }) {
      const value = typeof preview === "string" ? preview : JSON.stringify(preview)
      const args = { id, lease, value, waitMs, isNews: isNews ? "1" : "" }
      return (await recordPreview(on, jobKeys(id), args)) === 1
    },

    takeSlot(project, user) {
      const log = keys.previewMinute(options.accountOf(project))
      const args = { slot: randomUUID(), user, cap: PER_MINUTE, kept: KEPT, windowMs: MINUTE_MS }
      return takePreviewSlot(on, { log }, args)
    },
  }
}
