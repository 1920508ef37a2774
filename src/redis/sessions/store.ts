import { SESSIONS, type SlackRates, TIMING } from "../../config/timing.ts"
import type { Greeted, Sessions, SurfaceState, Thread } from "../../sessions/ports.ts"
import { ignoreBroken, typed } from "../broken.ts"
import { JOB_PREFIX, keys, THREAD_MS } from "../keys.ts"
import { rateLimit } from "../rate-limit.lua.ts"
import type { Now, RedisClient } from "../script.ts"
import { claimSession, settleSession, showAgain } from "./store.lua.ts"
import { learnSurface, readSurface, trySurface } from "./surface.lua.ts"

/** That Slack offers the surface is known for so long after it last took something, ms. */
const ON_MS = 30 * 86_400_000

interface SessionOptions {
  leaseMs?: number
  rates?: SlackRates
  now?: Now
}

export function createSessions(redis: RedisClient, options: SessionOptions = {}): Sessions {
  const { leaseMs = TIMING.leaseMs, rates = TIMING.rates } = options
  const on = { redis, now: options.now }
  const { lookAgainMs, tellAgainMs, offMs } = SESSIONS
  const looking = { lookAgainMs, jobPrefix: JOB_PREFIX }
  return {
    async claim() {
      const found = await claimSession(on, keys, {
        ...looking,
        leaseMs,
        tellAgainMs,
        sessionPrefix: keys.session(""),
      })
      if (!found) return undefined
      const { lease, wanted, shown, first, failures } = found
      const told = { ...(shown ? { shown } : {}), ...(first ? { first } : {}) }
      return { ...threadOf(found.thread), lease, wanted, ...told, failures }
    },

    async settle(entry, result) {
      const thread = nameOf(entry)
      const done =
        "shown" in result
          ? { shown: result.shown, learnt: learntOf(result.taken), againMs: "", failures: "" }
          : { shown: "", learnt: "", againMs: result.againMs, failures: result.failures ?? "" }
      const args = { ...looking, ...done, thread, lease: entry.lease, onMs: ON_MS }
      await settleSession(on, { ...keys, session: keys.session(thread) }, args)
    },

    rateLimit() {
      return rateLimit(on, {}, {}, rates.session, [keys.rateLimit("session")])
    },

    async jobsIn(thread) {
      const key = keys.session(nameOf(thread))
      const names = (await typed(key, redis.hkeys(key), ignoreBroken)) ?? []
      return names.filter((name) => name.startsWith("job:")).map((name) => name.slice(4))
    },

    async showAgain(of) {
      const thread = nameOf(of)
      const own = { ...keys, session: keys.session(thread) }
      await showAgain(on, own, { thread, threadMs: THREAD_MS })
    },

    async surfaceState() {
      return surfaceStateOf(await readSurface(on, keys, {}))
    },

    async mayTry() {
      return (await trySurface(on, keys, { tryMs: leaseMs })) === 1
    },

    async accepted() {
      await learnSurface(on, keys, { code: "", keepMs: ON_MS })
    },

    async refused(code) {
      return (await learnSurface(on, keys, { code, keepMs: offMs })) === 1
    },
  }
}

/** Whether there is a Stop button, as it is written after the moment; else nothing was said of it. */
const [STOP, NO_STOP] = ["stop", "no_stop"] as const

export function createGreeted(redis: RedisClient): Greeted {
  return {
    begin: async (user) => (await redis.sadd(keys.greeted, user)) === 1,
    async undo(user) {
      await redis.srem(keys.greeted, user)
    },
  }
}

function learntOf(taken: { hasStop: boolean } | undefined): string {
  if (!taken) return ""
  return taken.hasStop ? STOP : NO_STOP
}

function nameOf({ channel, root }: Thread): string {
  return `${channel}:${root}`
}

function threadOf(name: string): Thread {
  const [channel = "", root = ""] = name.split(":")
  return { channel, root }
}

function surfaceStateOf([text, leftMs, now]: [string, number, number]): SurfaceState {
  const on = /^on (\d+) (.+)$/.exec(text)
  const hasStop = on?.[2] === STOP ? true : on?.[2] === NO_STOP ? false : undefined
  if (on)
    return { state: "on", since: Number(on[1]), ...(hasStop === undefined ? {} : { hasStop }) }
  const off = /^off (\w+) (\d+)$/.exec(text)
  if (!off) return { state: "unknown" }
  const [, code = "", since] = off
  return { state: "off", code, since: Number(since), until: now + leftMs }
}
