import type { Job } from "../../jobs/job.ts"
import type { JobStore } from "../../jobs/ports.ts"
import { type OnBroken, readable, typed } from "../broken.ts"
import { toJob } from "../job-record.ts"
import { keys } from "../keys.ts"
import { called, type ReadProjectNames } from "../projects/names.ts"
import { toPrompt } from "../prompt-record.ts"
import type { RedisClient } from "../script.ts"

/** Reads jobs. */
export function createJobReader(
  redis: RedisClient,
  { names, onBroken }: { names: ReadProjectNames; onBroken: OnBroken },
): Pick<JobStore, "get" | "prompt" | "ofUser" | "inThread"> {
  const text = async (key: string) => (await typed(key, redis.get(key), onBroken)) ?? undefined

  /** Undefined where it is not kept. */
  const stateOf = async (id: string) => {
    const key = keys.job(id)
    const [state] = (await typed(key, redis.hmget(key, "state"), onBroken)) ?? []
    return state ?? undefined
  }

  async function one(id: string): Promise<Job | undefined> {
    const key = keys.job(id)
    const hash = (await typed(key, redis.hgetall(key), onBroken)) ?? {}
    if (Object.keys(hash).length === 0) return undefined
    return readable(key, () => toJob(id, hash), onBroken)
  }

  /** Those that are kept, in this order. */
  async function all(ids: readonly string[]): Promise<Job[]> {
    const [known, jobs] = await Promise.all([names(), Promise.all(ids.map(one))])
    return jobs.flatMap((job) => (job ? called(known, job) : []))
  }

  const get = async (id: string): Promise<Job | undefined> => (await all([id]))[0]

  /** The first of these ended ones that have something to show. */
  async function recent(ids: readonly string[], most: number): Promise<Job[]> {
    const found: Job[] = []
    for (let from = 0; found.length < most && from < ids.length; from += most) {
      const jobs = await all(ids.slice(from, from + most))
      // That it ran was shown while it did; afterwards it would be a row without words.
      found.push(...jobs.filter(({ isForgotten }) => !isForgotten))
    }
    return found.slice(0, most)
  }

  return {
    get,

    async prompt(id) {
      const key = keys.prompt(id)
      const stored = await text(key)
      return stored === undefined ? undefined : readable(key, () => toPrompt(id, stored), onBroken)
    },

    async ofUser(user, ended) {
      const key = keys.user(user)
      const ids = (await typed(key, redis.zrange(key, "0", "-1", "REV"), onBroken)) ?? []
      const states = await Promise.all(ids.map(stateOf))
      const isOpen = (n: number) => states[n] !== undefined && states[n] !== "ended"
      const open = await all(ids.filter((_, n) => isOpen(n)))
      const others = ids.filter((_, n) => !isOpen(n))
      return [...open, ...(await recent(others, ended))]
    },

    async inThread(channel, root) {
      const id = await text(keys.thread(channel, root))
      return id === undefined ? undefined : get(id)
    },
  }
}
