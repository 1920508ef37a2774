import { setMaxListeners } from "node:events"
import type { Redis } from "ioredis"
import { INTERVALS } from "../../src/compose.ts"
import { deliveryPass } from "../../src/following/deliver.ts"
import type { JobEvents } from "../../src/jobs/context.ts"
import { eachAsk } from "../../src/jobs/rounds.ts"
import { asContext, openQueue } from "./waiting.ts"

type Post = (to: { channel: string }) => Promise<{ ts: string; channel: string }>

/** Opens one project's queue whose cards `post` takes in place of Slack, without a worker's loops. */
export function openDelivery(
  redis: Redis,
  post: Post,
  {
    labelOf = () => undefined,
    find = () => "absent",
    events = { deliveryFailed: raise },
  }: {
    labelOf?: () => string | undefined
    find?: () => string
    events?: Pick<JobEvents, "deliveryFailed">
  } = {},
  now?: () => number,
) {
  const { store, jobs, askFor } = openQueue(redis, {}, now)
  const parts = {
    store,
    jobs,
    health: { read: async () => ({}) },
    slack: {
      unpaced: { post, update: async () => {} },
      outbound: { find: async () => find() },
    },
    settings: {
      access: { admins: [] },
      projects: { labelOf },
      limits: { jobsPerHour: 99, reservedSlots: 0, jobsPerMonth: 0 },
      timing: INTERVALS,
      startDelayMs: 60_000,
    },
    events,
  }
  const forceStop = AbortSignal.any([])
  // Every delivery listens; Node would warn from the eleventh listener on.
  setMaxListeners(0, forceStop)
  return {
    jobs,
    /** Makes a request whose card may be posted. */
    ask: async (user: string): Promise<string> => {
      const id = await askFor(user)
      await jobs.change(id, ({ job }) => ({
        set: eachAsk(job, (ask) => ({ ...ask, isPrepared: true })),
      }))
      return id
    },
    pass: () => deliveryPass(asContext(parts), { forceStop }),
  }
}

function raise(_job: unknown, error: unknown): never {
  throw error
}
