/** Returns a rate limit: one call per interval in ms, after a burst of this many calls. */
const rate = (ms: number, burst: number): readonly [number, number] => [ms, burst]

export type Timing = typeof TIMING

/** Intervals in ms that are not settings, chosen for Slack and a remote service. */
export const TIMING = {
  /** Time after which another process may take over what a dead one had claimed. */
  leaseMs: 30_000,
  /** Wait of a Redis that may have lost data, in which all workers report their creations. */
  coldMs: 10_000,
  /** Timeout of a call. A post begins in the first half of its lease and must end in the second. */
  slackTimeoutMs: 10_000,
  /**
   * Rates within Slack's documented limits. The bot uses at most 45 (37 and the burst) of the 50
   * edits a minute that a workspace has. A session's status has its own limit, so that no card waits for it.
   */
  rates: {
    channelPost: rate(1000, 3),
    workspacePost: rate(300, 20),
    edit: rate(1600, 8),
    session: rate(1600, 8),
  },
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
  /** First pause of a queue, after a 429 and after an outage; doubles each time. */
  pauses: { firstMs: 60_000, outageFirstMs: 15_000, longestMs: 15 * 60_000 },
  /** Interval between two reads that test a rejected key. */
  probeMs: 60_000,
  gitHubTimeoutMs: 10_000,
  /**
   * Delay before the first poll of a pull request, then the limits of the interval. It is at least
   * `eachMs` for each one watched: two requests each 0.7 s are a fifth of GitHub's secondary limit
   * of 900 a minute, and 800 pull requests still have their turn within ten minutes.
   */
  pulls: { firstMs: 5000, soonestMs: 20_000, longestMs: 4 * 3_600_000, eachMs: 700 },
}

export type PauseLengths = Timing["pauses"]

/** Maximum of `START_DELAY_SECONDS` in ms: a longer wait means that Redis's clock was set back. */
export const LONGEST_DELAY_MS = 60_000

/** Maximum of a pause that ends by itself in ms, as of another party's Retry-After. */
export const LONGEST_PAUSE_MS = 3_600_000

/** Time limits in ms after SIGTERM for the work in flight and the process: Docker waits 10 s. */
export const STOPPING = { workMs: 8000, processMs: 9500 } as const
