import { DateTime } from "luxon"

/**
 * What differs from production: leases and pauses are short, so that hundreds of crashes are lived
 * through in minutes, and the local Slack takes more than the real one. Every rule is in force, the
 * proportions hold: a post (half a lease to begin, its timeout to end) fits into a lease, and living
 * processes are back at a new Redis (2.2 s at most) before it grants anything.
 */
export const LEASE_MS = 5000

export const circumstances = {
  coldMs: 3000,
  timing: {
    leaseMs: LEASE_MS,
    slackTimeoutMs: 2000,
    rates: { channelPost: [150, 3], workspacePost: [40, 20], edit: [150, 10], session: [50, 20] },
    pauses: { firstMs: 2000, outageFirstMs: 1000, longestMs: 8000 },
    gitHubTimeoutMs: 500,
    pulls: { firstMs: 200, soonestMs: 400, longestMs: 4000 },
    previews: { soonestMs: 300, longestMs: 1000 },
  },
}

/** Wednesday, 14:10 UTC: people in Paris and New York are at work, and in Tokyo it is night. */
const MOMENT = { weekday: 3, hour: 14, minute: 10 } as const

/** How far a campaign that begins now is ahead of the clock, ms: it is about working hours, whatever today is. */
export function aheadMs(): number {
  const now = DateTime.utc()
  const here = now.set(MOMENT).startOf("minute")
  return (here < now ? here.plus({ weeks: 1 }) : here).toMillis() - now.toMillis()
}

/** What the agent pushes was pushed so long ago, ms: people are reminded of what nobody touched since. */
export const LYING_MS = 7 * 86_400_000

/** How far the clock of each process is from that of Redis, ms: no two machines agree. */
export const SKEWS_MS = { web: 0, "worker 1": -90_000, "worker 2": 90_000 } as const

/**
 * The environment is an operator's to set; 16 projects have room for 1,584 creations an hour, and their
 * keys for 80 previews a minute.
 */
export const PROJECTS = Array.from({ length: 16 }, (_, n) => `site-${n + 1}`)
export const keyOf = (project: string) => `svc_key_of_${project}`
export const environment = {
  PORT: "0",
  JOBS_PER_HOUR: "99",
  RESERVED_SLOTS: "0",
  MAX_QUEUED_PER_USER: "10000",
  POLL_MIN_MS: "200",
  POLL_MAX_MS: "1000",
  DOCS_TIMEOUT_MS: "1500",
  // The words of a request lead from the verdict to its lines.
  LOG_LEVEL: "debug",
}
