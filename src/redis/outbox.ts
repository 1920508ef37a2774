import { type SlackRates, TIMING } from "../config/timing.ts"
import { threadOf } from "../jobs/job.ts"
import type { DeliveryResult, Outbox, OutboxEntry } from "../jobs/ports.ts"
import { readable } from "./broken.ts"
import { fromPrompt, toJob, toPrompt } from "./job-record.ts"
import { THREAD_MS } from "./job-store.ts"
import { JOB_PREFIX, keys } from "./keys.ts"
import type { QueueOptions } from "./poll-queue.ts"
import { nowArgument, type RedisClient } from "./script.ts"
import { cardPosted, claimOutbox, savePrompt, settleOutbox, takeTurn } from "./scripts/outbox.ts"

export function createOutbox(
  redis: RedisClient,
  options: QueueOptions & { rates?: SlackRates; gapMs?: number },
): Outbox {
  const { rates = TIMING.rates, gapMs = TIMING.gapMs } = options
  const at = () => nowArgument(options.now)
  /** Without its words a job can still say how it ended. */
  const words = (id: string, text: string | null) =>
    text === null
      ? undefined
      : readable(keys.prompt(id), () => toPrompt(id, text), options.onBroken)
  return {
    async claim(limit) {
      const args = [at(), limit, options.leaseMs, JOB_PREFIX, keys.prompt("")]
      const [lease, rows] = await claimOutbox(redis, [keys.outbox, keys.carding], args)
      return rows.flatMap(([id, hash, prompt]) => {
        const job = readable(keys.job(id), () => toJob(id, hash), options.onBroken)
        return job ? { lease, job, prompt: words(id, prompt) } : []
      })
    },

    async cardPosted(job, ts) {
      const thread = keys.thread(job.channel, threadOf(job) ?? ts)
      await cardPosted(
        redis,
        [keys.job(job.id), keys.carding, thread],
        [at(), job.id, ts, THREAD_MS],
      )
    },

    async savePrompt(job, prompt, note) {
      const own = [keys.job(job.id), keys.prompt(job.id)]
      return (await savePrompt(redis, own, [at(), fromPrompt(prompt), note ?? ""])) === 1
    },

    async settle({ lease, job }: OutboxEntry, result: DeliveryResult) {
      const { shown, closing = "", sure, againMs = "" } = result
      const fields = shown
        ? {
            shown: shown.rev,
            place: shown.place ?? "",
            starts: shown.startsAt ?? "",
            paused: shown.paused ?? "",
          }
        : {}
      const clear = sure === "untried" ? "undo" : sure ? "1" : ""
      await settleOutbox(
        redis,
        [keys.job(job.id), keys.outbox],
        [
          at(),
          job.id,
          lease,
          job.rev,
          job.round,
          closing,
          clear,
          againMs,
          gapMs,
          ...Object.entries(fields).flat(),
        ],
      )
    },

    turn(kind, channel) {
      return kind === "edit"
        ? takeTurn(redis, [keys.turn("edit")], [at(), ...rates.edit])
        : takeTurn(
            redis,
            [keys.turn(`post:${channel}`), keys.turn("post")],
            [at(), ...rates.channelPost, ...rates.workspacePost],
          )
    },
  }
}
