import { randomUUID } from "node:crypto"
import { Redis } from "ioredis"
import { z } from "zod"
import { LOOKS } from "../../config/timing.ts"
import { queuesOf, renamedQueue } from "../../jobs/queues.ts"
import { type Ring, type SleepingLoop, sleepingLoops, type WakeUps } from "../../jobs/wake-ups.ts"
import type { Log } from "../../runtime/log.ts"
import { keys, WAKE_CHANNEL } from "../keys.ts"
import type { ReadProjectNames } from "../projects/names.ts"
import type { RedisClient } from "../script.ts"
import { visitorsKeys } from "../visitors-keys.ts"
import { DISPATCH_OF, lookAtSchedules, WAKES } from "./wake-ups.lua.ts"

/** A schedule's key, or what else is meant, and the time until then, ms. */
const wakeMessage = z
  .string()
  .regex(/^\S+ \d+$/)
  .transform((text) => {
    const [what = "", inMs] = text.split(" ")
    return { what, inMs: Number(inMs) }
  })

/** Whom a message wakes. */
const LOOPS_OF: Readonly<Record<string, readonly SleepingLoop[]>> = {
  [keys.outbox]: ["announce"],
  [keys.due]: ["poll"],
  [keys.pulls]: ["pulls"],
  [keys.previews]: ["previews"],
  [keys.sessions]: ["sessions"],
  [visitorsKeys.exportsDue]: ["exports"],
  [visitorsKeys.digestsDue]: ["digests"],
  [visitorsKeys.alertsDue]: ["alerts"],
  [WAKES.dispatch]: ["dispatch"],
  [WAKES.troubles]: ["notices", "keys"],
}

const DEAF = `Redis doesn't deliver the bot's own messages, so it checks every ${LOOKS.deafMs} ms instead; allow its user to subscribe and publish to ${WAKE_CHANNEL}`

/** The keys that say that a queue is paused. */
export function pausesOf(names: ReadProjectNames): () => Promise<string[]> {
  return async () => queuesOf((await names()).stored).map((queue) => keys.project(queue).pause)
}

interface WakeUpOptions {
  /** Keys that exist only while somebody has to see to something. */
  troubles: () => Promise<readonly string[]>
  names: ReadProjectNames
  log: Log
}

/**
 * Wake-ups through publish and subscribe. A message may be lost with its connection, so every
 * schedule is read now and then as well. Each such look publishes a message that has to arrive
 * before the next look: while none arrives, looks are frequent.
 */
export function createWakeUps(
  redis: RedisClient,
  { troubles, names, log }: WakeUpOptions,
): WakeUps {
  const own = randomUUID()
  // A cluster's client subscribes over a connection of its own, a single server's cannot do both.
  const listener = redis instanceof Redis ? redis.duplicate() : redis
  // The connection that everything else goes through tells of an outage.
  if (listener !== redis) listener.on("error", () => {})
  let heard = 0
  let said = 0
  let missed = 0
  let ring: Ring = () => {}

  function hear(text: string): void {
    const parsed = wakeMessage.safeParse(text)
    if (!parsed.success) return
    const { what, inMs } = parsed.data
    if (what === own) heard = inMs
    for (const loop of LOOPS_OF[what] ?? []) ring(loop, inMs)
    if (what.startsWith(DISPATCH_OF)) dispatch(what.slice(DISPATCH_OF.length), inMs)
  }

  /** Where nobody can say what the queue is called here, any may be meant. */
  function dispatch(stored: string, inMs: number): void {
    const called = names().then(({ nameOf }) => renamedQueue(stored, nameOf))
    called.then(
      (queue) => ring("dispatch", inMs, queue),
      () => ring("dispatch", inMs),
    )
  }

  /** Did the message of the last look arrive? */
  function checkHearing(): boolean {
    const hears = heard === said
    if (hears && missed > LOOKS.missesToTell) log.info("Redis delivers the bot's messages again")
    missed = hears ? 0 : missed + 1
    if (missed === LOOKS.missesToTell) log.warn(DEAF)
    if (missed === 1 && listener !== redis) listener.disconnect(true)
    return hears
  }

  return {
    listen(onWake) {
      ring = onWake
      listener.on("message", (_channel: string, text: string) => hear(text))
      // Subscribed again after each connect by ioredis; what was missed meanwhile, the next look finds.
      listener.subscribe(WAKE_CHANNEL).catch(() => {})
    },

    async look() {
      const hears = checkHearing()
      said += 1
      const on = { redis, now: undefined }
      const { exportsDue: exports, digestsDue: digests, alertsDue: alerts } = visitorsKeys
      const from = { ...keys, exports, digests, alerts }
      const found = await lookAtSchedules(on, from, { own, nth: said }, await troubles())
      for (const loop of sleepingLoops) if (found[loop] >= 0) ring(loop, found[loop])
      return hears ? LOOKS.everyMs : LOOKS.deafMs
    },

    close() {
      if (listener !== redis) listener.disconnect()
    },
  }
}
