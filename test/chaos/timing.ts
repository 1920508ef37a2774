import type { compose } from "../../src/compose.ts"
import type { JobPlan } from "../sandbox/docs-service/agent-job.ts"
import { CLEO } from "../sandbox/slack/index.ts"

/**
 * Duration of a lease in ms. Leases and pauses are shorter than in production, to fit many crashes
 * into minutes, and the local Slack accepts more than the real one. All rules and proportions
 * apply: a post (half a lease to begin, its timeout to end) fits into a lease, and surviving
 * processes see an emptied Redis (checked every 4 s) before it grants anything.
 */
export const LEASE_MS = 5000

export const CAMPAIGN = {
  coldMs: 6000,
  leaseMs: LEASE_MS,
  slackTimeoutMs: 2000,
  rates: { channelPost: [150, 3], workspacePost: [40, 20], edit: [150, 10], session: [50, 20] },
  probeMs: 1000,
  pulls: { firstMs: 200, soonestMs: 500, longestMs: 2000, eachMs: 0 },
  pauses: { firstMs: 2000, outageFirstMs: 1000, longestMs: 8000 },
} satisfies Parameters<typeof compose>[2]["timing"]

/** Offset in ms of each process's clock from Redis's: no two machines' clocks agree. */
export const SKEWS_MS = { web: 0, "worker 1": -90_000, "worker 2": 90_000, "worker 3": 0 } as const

/** Projects with room for 1,584 creations an hour in total. */
export const PROJECTS = Array.from({ length: 16 }, (_, n) => `site-${n + 1}`)
export const keyOf = (project: string) => `svc_key_of_${project}`

/** Admin, in whose channel nobody else asks: an admin's *Cancel* takes back what others asked, too. */
export const ADMIN = CLEO

export const environment = {
  PORT: "0",
  ADMIN_USERS: ADMIN,
  JOBS_PER_HOUR: "99",
  RESERVED_SLOTS: "0",
  MAX_QUEUED_PER_USER: "1000",
  START_DELAY_SECONDS: "1",
  POLL_MIN_MS: "200",
  POLL_MAX_MS: "1000",
  DOCS_TIMEOUT_MS: "1500",
  DOCS_PROJECTS: JSON.stringify(PROJECTS.map((id) => ({ name: id, id, key: keyOf(id) }))),
}

/** Runs of the agent's jobs, of which each job gets one at random. */
export const ENDINGS: readonly [JobPlan, ...JobPlan[]] = [
  { ending: "pull_request", afterMs: 1500, prAfterMs: 500 },
  { ending: "pull_request", afterMs: 500 },
  { ending: "pull_request", afterMs: 3000 },
  { ending: "no_pull_request", afterMs: 1000 },
  { ending: "failed", afterMs: 300 },
  { ending: "archived", afterMs: 2000 },
]
