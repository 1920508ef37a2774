import { type PauseLengths, TIMING, WINDOW_MS } from "../../config/timing.ts"
import type { CreationOutcome, Grant } from "../../jobs/queue-ports.ts"
import { isMessages, projectOf, renamedQueue } from "../../jobs/queues.ts"
import { LIGHT_USER_CREATIONS } from "../../jobs/simulated-hour.ts"
import { ignoreBroken, readable, typed } from "../broken.ts"
import { toJob } from "../job-record.ts"
import { type KeyFingerprint, NO_KEY } from "../key-fingerprint.ts"
import { JOB_PREFIX, keys, queueKeys } from "../keys.ts"
import {
  called,
  type NamedStoreOptions,
  type ProjectNames,
  SAME_NAMES,
  stored,
} from "../projects/names.ts"
import { toPrompt } from "../prompt-record.ts"
import type { RedisClient } from "../script.ts"
import { createRecovery } from "./recovery.ts"
import { overdue } from "./settlement.lua.ts"
import { createSettlement, type StoredQueue } from "./settlement.ts"
import { reserve } from "./slots.lua.ts"

/** What the requester is told where our own record of the request is broken. */
const UNREADABLE = "the bot cannot read what it stored of it; please ask again"
/** Until another try after such a one, ms. */
const SOON_MS = 250
/** Between two looks whether the key of the project is taken again, ms. */
const HELD_MS = 5_000

export interface SlotLimits extends NamedStoreOptions {
  jobsPerHour: number
  reservedSlots: number
  /** Longest time a creation may be on its way, ms: the slot is stamped that far ahead. */
  creationMs: number
  /** Wait before the first grant of a Redis without data, ms: living processes report first. */
  coldMs: number
  /** A request whose card is on its way keeps later rounds of the fair order for so long, ms. */
  cardMs?: number
  windowMs?: number
  pauses?: PauseLengths
  keyFingerprint?: KeyFingerprint
}

/** A job that may start, as the script tells of it. */
type Go = Extract<Awaited<ReturnType<typeof reserve>>, readonly ["go", ...unknown[]]>

export type SlotStore = ReturnType<typeof createSlotStore>

export function createSlotStore(redis: RedisClient, limits: SlotLimits) {
  const windowMs = limits.windowMs ?? WINDOW_MS
  const pauses = limits.pauses ?? TIMING.pauses
  const on = { redis, now: limits.now }
  const { onBroken = ignoreBroken, keyFingerprint = NO_KEY, names = SAME_NAMES } = limits
  const { settle, end } = createSettlement(on, pauses)

  const asStored = ({ storedAs }: ProjectNames, queue: string): StoredQueue => ({
    queue: renamedQueue(queue, storedAs),
    key: keyFingerprint(projectOf(queue)),
  })

  function askToReserve({ queue, key }: StoredQueue, token: string, peek: boolean) {
    const own = { ...queueKeys(queue, ""), grant: keys.grant(token) }
    return reserve(on, own, {
      token,
      peek: peek ? "1" : "",
      cap: limits.jobsPerHour,
      windowMs,
      creationMs: limits.creationMs,
      reserved: limits.reservedSlots,
      light: LIGHT_USER_CREATIONS,
      coldMs: limits.coldMs,
      cardMs: limits.cardMs ?? 2 * TIMING.leaseMs,
      jobPrefix: JOB_PREFIX,
      promptPrefix: keys.prompt(""),
      waitingPrefix: keys.waiting(queue, ""),
      queue,
      key,
    })
  }

  /** Until when messages wait with the jobs of a project whose key is refused, ms. */
  async function heldFor({ queue, key }: StoredQueue): Promise<number> {
    if (!isMessages(queue)) return 0
    const { pause } = keys.project(projectOf(queue))
    const [until, refused] =
      (await typed(pause, redis.hmget(pause, "until", "key"), onBroken)) ?? []
    return until === "" && refused === key ? HELD_MS : 0
  }

  /** Undefined when what is stored cannot be read: nothing was sent, so the slot is given back. */
  async function granted(at: StoredQueue, token: string, [, id, hash, words]: Go) {
    const job = readable(keys.job(id), () => toJob(id, hash), onBroken)
    if (job?.isForgotten) {
      await end(at, id, job.user, token, { kind: "cancelled", detail: "" })
      return undefined
    }
    const prompt = readable(keys.prompt(id), () => toPrompt(id, words), onBroken)
    if (job && prompt) return { job, prompt }
    await end(at, id, hash.user ?? "", token, { kind: "refused", detail: UNREADABLE })
    return undefined
  }

  const queueOf = async (queue: string) => asStored(await names(), queue).queue
  return {
    ...createRecovery(on, { ...limits, windowMs }, queueOf),

    /** What `reserve` would do now: 0 = something can start, else ms to wait. */
    async peek(queue: string): Promise<number> {
      const at = asStored(await names(), queue)
      const heldMs = await heldFor(at)
      if (heldMs > 0) return heldMs
      const [outcome, value] = await askToReserve(at, "peek", true)
      if (outcome === "go") return 0
      return outcome === "empty" ? Number.POSITIVE_INFINITY : Number(value)
    },

    async reserve(queue: string, token: string): Promise<Grant | { waitMs: number }> {
      const known = await names()
      const at = asStored(known, queue)
      const answer = await askToReserve(at, token, false)
      if (answer[0] !== "go")
        return { waitMs: answer[0] === "empty" ? Number.POSITIVE_INFINITY : answer[1] }
      const found = await granted(at, token, answer)
      return found ? { ...found, job: called(known, found.job), queue } : { waitMs: SOON_MS }
    },

    async settle(
      { job, queue }: Pick<Grant, "job" | "queue">,
      token: string,
      outcome: CreationOutcome,
      pollMs: number,
    ): Promise<void> {
      const known = await names()
      await settle(asStored(known, queue), stored(known, job), token, outcome, pollMs)
    },

    async sweep(queue: string): Promise<number> {
      const at = asStored(await names(), queue)
      let ended = 0
      // Whose it was does not matter, as the slot stays.
      for (const id of await overdue(on, keys.project(at.queue), {}))
        ended += await end(at, id, "", "", { kind: "unknown", detail: "" })
      return ended
    },
  }
}
