import { z } from "zod"
import type { DeferredPayloads } from "../../jobs/deferred-payloads.ts"
import type { OnBroken } from "../broken.ts"
import { untilFirst } from "../clock.ts"
import { keys, SEEN_MS } from "../keys.ts"
import { RecordError, recordCodec } from "../record.ts"
import type { RedisClient } from "../script.ts"
import { claimDeferred, keepDeferred, settleDeferred } from "./deferred-payloads.lua.ts"

/** Slack's own format, which later versions read as they read what Slack sends. */
const bodyCodec = recordCodec(1, z.record(z.string(), z.unknown()))

/** Of one person at a time: what somebody does while Slack is slow, and no flood. */
const MOST = 50
/** bytes; the longest message that Slack takes is 160,000. */
const MOST_BYTES = 2_000_000

export function createDeferredPayloads(
  redis: RedisClient,
  { leaseMs, onBroken }: { leaseMs: number; onBroken: OnBroken },
): DeferredPayloads {
  const on = { redis, now: undefined }
  const ownKeys = (id: string) => ({ record: keys.deferredPayload(id), deferred: keys.deferred })
  const settle = async (id: string) => void (await settleDeferred(on, ownKeys(id), { id }))
  return {
    async keep({ id, body }, user) {
      const value = bodyCodec.write(body)
      const bounds = { prefix: keys.deferredPayload(""), most: MOST, mostBytes: MOST_BYTES }
      const args = { id, value, keepMs: SEEN_MS, ...bounds }
      return keepDeferred(on, { ...ownKeys(id), own: keys.own(user) }, args)
    },

    async claim() {
      const [id, value] = await claimDeferred(on, keys, {
        leaseMs,
        prefix: keys.deferredPayload(""),
      })
      if (id === undefined) return undefined
      const body = bodyCodec.read(value)
      if (body) return { id, body }
      onBroken(
        keys.deferredPayload(id),
        new RecordError(`The deferred payload ${id} cannot be read.`),
      )
      await settle(id)
      return undefined
    },

    nextDue: () => untilFirst(redis, keys.deferred, undefined),
    settle,
  }
}
