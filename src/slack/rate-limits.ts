import { setTimeout as delay } from "node:timers/promises"
import { z } from "zod"
import { raceAbort, stopwatch } from "../lib/time.ts"
import { key } from "../store/redis-keys.ts"
import { type Store, script } from "../store/script.ts"
import { SlackError } from "./slack-error.ts"
import type { Outbound } from "./write-to-slack.ts"

/** Rate limit: one call per interval in ms, after a burst of this many calls. */
type Rate = readonly [everyMs: number, burst: number]
type Rates = Readonly<Record<"channelPost" | "workspacePost" | "edit" | "session", Rate>>

/**
 * Rates within Slack's documented limits. The bot uses at most 45 (37 and the burst) of the 50
 * edits a minute that a workspace has. A session's status has its own limit, so that no card waits for it.
 */
export const RATES: Rates = {
  channelPost: [1000, 3],
  workspacePost: [300, 20],
  edit: [1600, 8],
  session: [1600, 8],
}
/** Number of edits in a burst that the bot keeps for cards that somebody is waiting for. */
const KEPT_FOR_ANSWERS = 3
/**
 * Time in ms after which the bot writes uncounted. It must be able to say that Redis is away before
 * it acknowledges, and learns that from a command that took 2 s of Slack's 3.
 */
const UNCOUNTED_MS = 250

/**
 * Applies Slack's limits over all processes, as rates with a burst (generic cell rate algorithm);
 * each limit has a key, an interval in ms, this caller's burst and the largest burst of any caller.
 * Returns 0 if it took a turn from every limit; otherwise takes none and returns the wait in ms.
 * Bottleneck handles one limit at a time and would wait instead of returning the time.
 */
const rateLimit = script(
  z.number(),
  "",
  "",
  `
local function limitOf(n)
  local from = rest + 3 * (n - 1)
  return tonumber(ARGV[from]), tonumber(ARGV[from + 1]), tonumber(ARGV[from + 2])
end
-- No burst reaches further ahead: otherwise the clock was set back since.
local function reached(n, key)
  local interval, _, largest = limitOf(n)
  local at = math.max(tonumber(redis.call('GET', key)) or 0, now)
  local furthest = now + interval * largest
  if at <= furthest then return at end
  redis.call('SET', key, string.format('%.0f', furthest), 'PX', math.ceil(interval * largest))
  return furthest
end
local waitMs = 0
for n, key in ipairs(KEYS) do
  local interval, burst = limitOf(n)
  waitMs = math.max(waitMs, reached(n, key) - now - interval * (burst - 1))
end
if waitMs > 0 then return math.ceil(waitMs) end
for n, key in ipairs(KEYS) do
  local at = reached(n, key) + limitOf(n)
  redis.call('SET', key, string.format('%.0f', at), 'PX', math.max(1, math.ceil(at - now)))
end
return 0
`,
)

/** Returns 0 if the bot may write now, or the wait in ms. `answer`: somebody awaits the edit. */
export function takeTurn(
  store: Store,
  { edit, session, channelPost, workspacePost }: Rates,
  kind: "post" | "edit" | "answer" | "session",
  channel: string,
): Promise<number> {
  const whole = ([ms, burst]: Rate) => [ms, burst, burst]
  if (kind === "session") return rateLimit(store, {}, {}, whole(session), [key("turn", "session")])
  if (kind === "post") {
    const both = [key("turn", "post", channel), key("turn", "post")]
    return rateLimit(store, {}, {}, [channelPost, workspacePost].flatMap(whole), both)
  }
  const [interval, burst] = edit
  const most = kind === "answer" ? burst : Math.max(1, burst - KEPT_FOR_ANSWERS)
  return rateLimit(store, {}, {}, [interval, most, burst], [key("turn", "edit")])
}

/**
 * Makes posts and edits wait for their turn, for callers that cannot do something else meanwhile.
 * After `maxWaitMs`, they fail as if Slack had refused them with a 429.
 */
export function atPace(
  outbound: Outbound,
  store: Store,
  { rates, maxWaitMs }: { rates: Rates; maxWaitMs: number },
): Outbound {
  async function turn(method: string, kind: "post" | "answer", channel: string): Promise<void> {
    const waited = stopwatch()
    for (;;) {
      const taking = takeTurn(store, rates, kind, channel).catch(() => 0)
      const retryAfterMs = await raceAbort(taking, AbortSignal.timeout(UNCOUNTED_MS), 0)
      if (retryAfterMs === 0) return
      if (waited() + retryAfterMs > maxWaitMs)
        throw new SlackError({ method, verdict: "later", code: "ratelimited", retryAfterMs })
      await delay(retryAfterMs)
    }
  }
  const post: Outbound["post"] = async (to, ...given) => {
    await turn("chat.postMessage", "post", to.channel)
    return outbound.post(to, ...given)
  }
  return {
    ...outbound,
    post,
    direct: (user, message) => post({ channel: user }, message),
    async update(at, message) {
      await turn("chat.update", "answer", at.channel)
      return outbound.update(at, message)
    },
  }
}
