import { hash } from "node:crypto"
import type { PullRef } from "../../ports/github.ts"
import { LONGEST_MS } from "../../pulls/life.ts"
import type { PullStore } from "../../pulls/ports.ts"
import { ignoreBroken, readable } from "../broken.ts"
import { JOB_PREFIX, keys } from "../keys.ts"
import type { RedisClient } from "../script.ts"
import type { StoreOptions } from "../store-options.ts"
import { newsFields, PULL_VERSION, toPull } from "./record.ts"
import { claimPulls, pollPullsSoon, recordPull, watchPull } from "./store.lua.ts"

/** A record outlives the time that its pull request is followed, ms. */
const KEEP_MS = LONGEST_MS + 86_400_000
/** People who open their Home tab again and again cause no more than this, ms. */
const POLL_SOON_GAP_MS = 20_000

interface PullStoreOptions extends StoreOptions {
  leaseMs: number
  /** From the link to the first poll, ms. */
  firstMs: number
}

export function createPullStore(
  redis: RedisClient,
  apiUrl: string,
  { leaseMs, firstMs, onBroken = ignoreBroken, now }: PullStoreOptions,
): PullStore {
  const on = { redis, now }
  const ownKeys = (id: string) => ({
    pull: keys.pull(id),
    jobs: keys.pullJobs(id),
    pulls: keys.pulls,
    outbox: keys.outbox,
  })
  return {
    async watch(jobId, ref) {
      const id = idOf(apiUrl, ref)
      const fields = Object.entries({ v: PULL_VERSION, ...ref }).flat()
      const args = { id, jobId, firstMs, keepMs: KEEP_MS }
      await watchPull(on, { ...ownKeys(id), job: keys.job(jobId) }, args, fields)
    },

    async claim(limit) {
      const args = { limit, leaseMs, pullPrefix: keys.pull("") }
      const [at, lease, rows] = await claimPulls(on, keys, args)
      const pulls = rows.flatMap(
        ([id, record]) => readable(keys.pull(id), () => toPull(id, record), onBroken) ?? [],
      )
      return { now: at, lease, pulls }
    },

    async jobsOf(id) {
      return redis.smembers(keys.pullJobs(id))
    },

    async record(lease, { id }, news) {
      const { waitMs = "", state = "", remind = "" } = news
      const by = news.facts?.by ?? ""
      const args = { id, lease, waitMs, state, by, remind, jobPrefix: JOB_PREFIX }
      return (await recordPull(on, ownKeys(id), args, newsFields(news))) === 1
    },

    async pollSoon(ids) {
      if (ids.length === 0) return
      await pollPullsSoon(on, keys, { gapMs: POLL_SOON_GAP_MS, pullPrefix: keys.pull("") }, ids)
    },
  }
}

/** One record for a pull request, however its link is written. */
function idOf(apiUrl: string, { owner, repo, number }: PullRef): string {
  const name = `${apiUrl} ${owner}/${repo}#${number}`.toLowerCase()
  return hash("sha256", name, "base64url").slice(0, 22)
}
