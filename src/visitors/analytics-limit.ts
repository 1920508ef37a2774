import { randomUUID } from "node:crypto"
import Bottleneck from "bottleneck"
import { z } from "zod"
import { DocsError } from "../docs-service/docs-error.ts"
import { WINDOW_MS } from "../lib/time.ts"
import { key } from "../store/redis-keys.ts"
import { NOT_AHEAD } from "../store/schedule-and-leases.ts"
import { currentTime, type Store, script } from "../store/script.ts"

/** Maximum requests in flight per process: reading pages is costly for the service. */
const MAX_CONCURRENT = 4
/** Retry delay in ms after a failed request; one retry is safe because reading changes nothing. */
const REPEAT_MS = 300
/** Requests of an hour that are kept for people who have made fewer than as many in it. */
const MAX_RESERVED = 10
/** Pause in ms after a 429 that names no time. */
const PAUSE_MS = 60_000

/**
 * Takes one slot of the rolling hour. Its score is the request's latest possible arrival at the
 * service, so that a slow network cannot push two hours' requests into one.
 * @returns the wait in ms; `share` means that this reader has used half of the hour
 */
const takeSlot = script(
  z.tuple([z.enum(["go", "wait", "share"]), z.number()]),
  "hour own askers pause",
  "user slot perHour half reserved windowMs holdMs",
  `${NOT_AHEAD}
windowMs = tonumber(windowMs)
for _, set in ipairs({hour, own, askers}) do
  notAhead(set, tonumber(holdMs))
  redis.call('ZREMRANGEBYSCORE', set, '-inf', now - windowMs)
end
if redis.call('ZSCORE', hour, slot) then return {'go', 0} end

-- Returns how long until fewer entries than the limit are left, in ms.
local function untilFewer(set, limit)
  local used = redis.call('ZCARD', set)
  if used < limit then return 0 end
  local entry = redis.call('ZRANGE', set, used - limit, used - limit, 'WITHSCORES')
  return math.floor(tonumber(entry[2])) + windowMs + 1 - now
end
notAhead(pause, windowMs)
local opens = tonumber(redis.call('ZSCORE', pause, 'opens') or '0')
local isLight = user ~= '' and redis.call('ZCARD', own) < tonumber(reserved)
local most = isLight and tonumber(perHour) or perHour - reserved
local wait = math.max(untilFewer(hour, most), opens - now)
if user ~= '' then
  redis.call('ZADD', askers, now, user)
  redis.call('PEXPIRE', askers, windowMs)
  local share = redis.call('ZCARD', askers) > 1 and untilFewer(own, tonumber(half)) or 0
  if share > 0 then return {'share', math.max(wait, share)} end
end
if wait > 0 then return {'wait', wait} end
for _, set in ipairs({hour, user ~= '' and own or nil}) do
  redis.call('ZADD', set, now + tonumber(holdMs), slot)
  redis.call('PEXPIRE', set, windowMs + tonumber(holdMs) + 1)
end
return {'go', 0}
`,
)

/** Person for whom the bot reads; undefined for a digest or an alert. */
export type Reader = string | undefined

/**
 * Runs analytics requests within a service key's rolling hour, shared by every process and by every
 * project with that key. While others ask, nobody gets more than half of it, and its last requests
 * are kept for people who have asked little.
 * @param options `accountOf` identifies the key whose hour counts a project's requests
 * @throws DocsError `rate_limited` or `own_share`, without a request, if no slot is free
 */
export function limitAnalytics(
  store: Store,
  options: { perHour: number; timeoutMs: number; accountOf: (project: string) => string },
) {
  const { perHour, timeoutMs: holdMs, accountOf } = options
  const limiter = new Bottleneck({ maxConcurrent: MAX_CONCURRENT })
  limiter.on("failed", (error: unknown, { retryCount }) =>
    retryCount === 0 && isWorthRepeating(error) ? REPEAT_MS : undefined,
  )

  async function withinHour<T>(reader: Reader, project: string, request: () => Promise<T>) {
    const keyOf = (...of: string[]) => key("v", "hour", accountOf(project), ...of)
    const [hour, own, pause] = [keyOf(), keyOf("of", reader ?? ""), keyOf("pause")]
    const slot = randomUUID()
    const half = Math.max(1, Math.floor(perHour / 2))
    const reserved = Math.min(MAX_RESERVED, Math.floor(perHour / 10))
    const [outcome, waitMs] = await takeSlot(
      store,
      { hour, own, askers: keyOf("askers"), pause },
      { user: reader ?? "", slot, perHour, half, reserved, windowMs: WINDOW_MS, holdMs },
    )
    if (outcome !== "go")
      throw new DocsError({
        operation: "analytics",
        fault: outcome === "share" ? "own_share" : "rate_limited",
        retryAfterMs: waitMs,
        detail: "hourly analytics limit reached",
      })
    try {
      return await request()
    } catch (error) {
      if (!(error instanceof DocsError)) throw error
      const { fault, status, detail } = error
      // Frees the slot, because the request never reached the service.
      if (fault === "unreachable") await store.redis.multi().zrem(hour, slot).zrem(own, slot).exec()
      if (fault === "rate_limited") {
        const retryAfterMs = Math.ceil(error.retryAfterMs ?? PAUSE_MS)
        // Keeps the longer pause of two refusals at the same time.
        await store.redis.zadd(pause, "GT", (await currentTime(store)) + retryAfterMs, "opens")
        await store.redis.pexpire(pause, WINDOW_MS)
        const facts = { operation: "analytics", fault, status, detail, retryAfterMs }
        throw new DocsError(facts, { cause: error })
      }
      throw error
    }
  }

  return <T>(reader: Reader, project: string, request: () => Promise<T>): Promise<T> =>
    limiter.schedule(() => withinHour(reader, project, request))
}

function isWorthRepeating(error: unknown): boolean {
  const passing = ["unreachable", "interrupted", "server_error"]
  return error instanceof DocsError && passing.includes(error.fault)
}
