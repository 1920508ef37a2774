/** Intervals in ms that only tests replace; those of one rule stand beside it. */
export type Timing = typeof TIMING & {
  /** Timeout of a call of Slack: see `slack/client.ts`. */
  slackTimeoutMs: number
  /** Paces of writing to Slack: see `slack/rate-limits.ts`. */
  rates: Readonly<Record<"channelPost" | "workspacePost" | "edit" | "session", Rate>>
  /** Lengths of a queue's pauses: see `limit/pauses.ts`. */
  pauses: { firstMs: number; outageFirstMs: number; longestMs: number }
  /** How often GitHub is asked: see `pulls/github-schedule.ts`. */
  pulls: { firstMs: number; soonestMs: number; longestMs: number; eachMs: number }
}

/** Rate limit: one call per interval in ms, after a burst of this many calls. */
type Rate = readonly [everyMs: number, burst: number]

/** Intervals in ms that are not settings, chosen for Slack and a remote service. */
export const TIMING = {
  /** Time after which another process may take over what a dead one had claimed. */
  leaseMs: 30_000,
  /** Wait of a Redis that may have lost data, in which all workers report their creations. */
  coldMs: 10_000,
  /**
   * Delays before the bot tries to write to Slack again: while Slack is unreachable; before it looks for a
   * message after a call without an answer, which Slack may still apply; after a failure (doubles).
   */
  tries: { unreachableMs: 3000, lookUpAgainMs: 5000, failedMs: 5000 },
  /** Interval of the loops that check busy queues and open problems. */
  careMs: 3000,
  /** Maximum wait between two reads of a queue, because a wake-up message can get lost. */
  restMs: 4000,
  /** Time after which people learn that their answer takes longer than usual. */
  workWithinMs: 8000,
  /** Time within which the bot acknowledges, because Slack shows an error after 3 s. */
  answerWithinMs: 2500,
  /** Gap between opening connections, so that Slack's hourly refresh never closes both at once. */
  socketsApartMs: 60_000,
  /** Interval between two reads that test a rejected key. */
  probeMs: 60_000,
  gitHubTimeoutMs: 10_000,
}

/** Time limits in ms after SIGTERM for the work in flight and the process: Docker waits 10 s. */
export const STOPPING = { workMs: 8000, processMs: 9500 } as const
