import { auditNotes } from "../../audit/entry.ts"
import { type SlackRates, TIMING } from "../../config/timing.ts"
import { type JobEvents, NO_EVENTS } from "../../jobs/events.ts"
import { threadOf } from "../../jobs/job.ts"
import type { DeliveryResult, Outbox, OutboxEntry } from "../../jobs/worker-ports.ts"
import { type OnBroken, readable } from "../broken.ts"
import { toJob } from "../job-record.ts"
import { JOB_PREFIX, jobKeys, keys, THREAD_MS } from "../keys.ts"
import { called, type ReadProjectNames, SAME_NAMES } from "../projects/names.ts"
import { fromPrompt, toPrompt } from "../prompt-record.ts"
import { rateLimit } from "../rate-limit.lua.ts"
import type { Now, RedisClient } from "../script.ts"
import { cardPosted, claimOutbox, savePrompt, settleOutbox } from "./store.lua.ts"

/** Of the edits that Slack takes at once, so many are left for answers to people. */
const KEPT_FOR_ANSWERS = 3

const NOTHING_NEW = { notes: [], mark: 0 }

type Shown = NonNullable<DeliveryResult["shown"]>

interface OutboxOptions {
  /** A claim not settled within this time is free for another worker, ms. */
  leaseMs: number
  /** A record that cannot be read is passed over and comes back after its lease. */
  onBroken: OnBroken
  names?: ReadProjectNames
  events?: JobEvents
  now?: Now
  rates?: SlackRates
  gapMs?: number
  auditDays?: number
}

export function createOutbox(redis: RedisClient, options: OutboxOptions): Outbox {
  const { names = SAME_NAMES, events = NO_EVENTS } = options
  const { rates = TIMING.rates, gapMs = TIMING.gapMs, auditDays = 0 } = options
  const on = { redis, now: options.now }
  /** Without its words a job can still say how it ended. */
  const words = (id: string, text: string) =>
    readable(keys.prompt(id), () => toPrompt(id, text), options.onBroken)
  return {
    async claim(limit) {
      const { leaseMs } = options
      const args = { limit, leaseMs, jobPrefix: JOB_PREFIX, promptPrefix: keys.prompt("") }
      // Before the claim: what cannot be named must not be leased for nothing.
      const known = await names()
      const [lease, rows] = await claimOutbox(on, keys, args)
      return rows.flatMap(([id, hash, prompt, isAnswer]) => {
        const job = readable(keys.job(id), () => toJob(id, hash), options.onBroken)
        const said = prompt === null ? undefined : words(id, prompt)
        return job ? { lease, job: called(known, job), prompt: said, isAnswer } : []
      })
    },

    async cardPosted(job, ts) {
      const thread = keys.thread(job.channel, threadOf(job) ?? ts)
      const args = { id: job.id, ts, threadMs: THREAD_MS }
      await cardPosted(on, { ...jobKeys(job.id), thread }, args)
      events.cardPosted(job)
    },

    async savePrompt({ id }, prompt, note = "") {
      return (await savePrompt(on, jobKeys(id), { words: fromPrompt(prompt), note })) === 1
    },

    async settle(entry: OutboxEntry, result: DeliveryResult) {
      const { lease, job } = entry
      const { shown, closing = "", reminder = "", laterShown, sure, againMs = "", failed } = result
      const { id, rev, round } = job
      const failures = failed ? job.failures + 1 : ""
      const clear = sure === "untried" ? "undo" : sure ? "1" : ""
      const of = { id, lease, rev, round, sessionPrefix: keys.session(""), threadMs: THREAD_MS }
      const args = { ...of, closing, reminder, clear, againMs, gapMs, failures }
      const later = laterShown === undefined ? [] : ["laterShown", laterShown]
      const { notes, mark } = auditDays > 0 ? auditNotes(job, entry.prompt) : NOTHING_NEW
      const written = notes.map((note) => Object.entries(note).flat())
      await settleOutbox(
        on,
        {
          ...jobKeys(id),
          audit: keys.audit,
          thread: keys.thread(job.channel, threadOf(job) ?? ""),
        },
        { ...args, notes: notes.length > 0 ? JSON.stringify(written) : "", audited: mark },
        [...(shown ? shownFields(shown) : []), ...later],
      )
      if (result.closing !== undefined) events.closingPosted(job)
    },

    rateLimit(kind, channel) {
      const { edit, channelPost, workspacePost } = rates
      const [interval, burst] = edit
      const routine = Math.max(1, burst - KEPT_FOR_ANSWERS)
      if (kind !== "post") {
        const most = kind === "answer" ? burst : routine
        return rateLimit(on, {}, {}, [interval, most], [keys.rateLimit("edit")])
      }
      const both = [keys.rateLimit(`post:${channel}`), keys.rateLimit("post")] as const
      return rateLimit(on, {}, {}, [...channelPost, ...workspacePost], both)
    },
  }
}

/** Names and values in turn; one that is empty is taken away. */
function shownFields({ rev, place, startsAt, paused, triedAt }: Shown): (string | number)[] {
  const fields = { shown: rev, place, starts: startsAt, paused, tried: triedAt }
  return Object.entries(fields).flatMap(([name, value]) => [name, value ?? ""])
}
