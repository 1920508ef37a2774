import { z } from "zod"
import { MESSAGES, WAKE_CHANNEL } from "../keys.ts"
import { script } from "../script.ts"

/** What a message names where it is no schedule. */
export const WAKES = { dispatch: "dispatch", troubles: "troubles" } as const

/** Before the name of the one queue, as it is stored, in which something may start. */
export const DISPATCH_OF = "dispatch:"

const wake = (what: string) => `
redis.pcall('PUBLISH', '${WAKE_CHANNEL}', '${what} 0')
`

/** Lua. Wakes the loops that start jobs: one that could not start before may do so now. */
export const WAKE_DISPATCH = wake(WAKES.dispatch)

/** Lua. The same for the queue of one waiting job: with many projects, to look at all of them takes a while. */
export const WAKE_QUEUE_OF = `
local function wakeQueueOf(job)
  local of = redis.call('HMGET', job, 'project', 'follows')
  local queue = (of[1] or '') .. (of[2] and '${MESSAGES}' or '')
  redis.pcall('PUBLISH', '${WAKE_CHANNEL}', '${DISPATCH_OF}' .. queue .. ' 0')
end
`

/** Lua. Wakes the loops that tell admins what to do, and that ask whether the trouble is over. */
export const WAKE_TROUBLES = wake(WAKES.troubles)

/**
 * Lua, for a script that does nothing to a schedule but add one member that is due at once, and so can
 * tell without looking at the schedule before and after.
 */
export const WAKE_IF_FIRST = `
local function wakeIfFirst(schedule, member)
  if redis.call('ZRANK', schedule, member) ~= 0 then return end
  redis.pcall('PUBLISH', '${WAKE_CHANNEL}', schedule .. ' 0')
end
`

const inMs = z.number()

/**
 * When each loop has something to do, ms from now; -1 where nothing is due. Further arguments are
 * keys that exist only while there is trouble that an admin has to see to. Publishes that it was
 * run, so that the caller knows whether messages reach it.
 */
export const lookAtSchedules = script(
  z
    .tuple([inMs, inMs, inMs, inMs, inMs, inMs, inMs, inMs, z.number(), z.number()])
    .transform(
      ([announce, poll, pulls, previews, sessions, exports, digests, alerts, ...counts]) => {
        const [busy, troubles] = counts
        const waiting = { dispatch: busy, refresh: busy, notices: troubles, keys: troubles }
        return { announce, poll, pulls, previews, sessions, exports, digests, alerts, ...waiting }
      },
    ),
  "outbox due pulls previews sessions exports digests alerts busy busyMessages",
  "own nth",
  `
local function untilFirst(schedule)
  local first = redis.pcall('ZRANGE', schedule, 0, 0, 'WITHSCORES')
  return first[2] and math.ceil(math.max(0, tonumber(first[2]) - now)) or -1
end
local function ifAny(count) return count > 0 and 0 or -1 end
redis.pcall('PUBLISH', '${WAKE_CHANNEL}', own .. ' ' .. nth)
return {
  untilFirst(outbox), untilFirst(due), untilFirst(pulls), untilFirst(previews), untilFirst(sessions),
  untilFirst(exports), untilFirst(digests), untilFirst(alerts),
  ifAny(redis.call('EXISTS', busy, busyMessages)),
  ifAny(ARGV[rest] and redis.call('EXISTS', unpack(ARGV, rest)) or 0),
}
`,
)
