/** A rolling hour in ms, 5 s longer than an hour because clocks may be slewed. */
export const WINDOW_MS = 3_600_000 + 5_000

/** Returns a rate limit: one call per interval in ms, after a burst of this many calls. */
const rate = (ms: number, burst: number): readonly [number, number] => [ms, burst]

export type Timing = typeof TIMING

/** Intervals in ms that are not settings, chosen for Slack and a distant service. */
export const TIMING = {
  /** Time after which another process may take over a dead one's claims. */
  leaseMs: 30_000,
  /** A post to Slack begins within the first half of a lease and must end within the second. */
  slackTimeoutMs: 10_000,
  /**
   * Slack's documented limits. Of 50 edits a minute per workspace, cards use 45, because the bot also
   * edits reports and exports. A session's status has its own limit, so that no card waits for it.
   */
  rates: {
    channelPost: rate(1000, 3),
    workspacePost: rate(300, 20),
    edit: rate(1600, 8),
    session: rate(1600, 8),
  },
  /**
   * Delays before the bot tries to write to Slack again: if Slack names none; before it looks for a
   * message after a call without an answer, which Slack may still apply; after a failure (doubles).
   */
  tries: { laterMs: 3000, lookUpAgainMs: 5000, failedMs: 5000 },
  /** Interval of the loops that look after queues and troubles; most others sleep until something is due. */
  careMs: 3000,
  /** Maximum wait between two reads of a queue, because the message that a job may start can get lost. */
  restMs: 4000,
  /** Time after the acknowledgement within which people get their answer or learn that it takes longer. */
  workWithinMs: 8000,
  /** Time within which the bot acknowledges, because Slack shows an error after 3 s. */
  answerWithinMs: 2500,
  /** Gap between opening two connections: Slack refreshes each about hourly and announces that some 10 s before. */
  socketsApartMs: 60_000,
  /** A project's pause if the service names none: after a refusal, and after an outage; doubles up to `longestMs`. */
  pauses: { firstMs: 60_000, outageFirstMs: 15_000, longestMs: 15 * 60_000 },
  /** Interval between two reads that test a rejected key. */
  probeMs: 60_000,
  gitHubTimeoutMs: 10_000,
  /** Delay from the link to the first poll of the pull request, and the limits of the interval between polls. */
  pulls: { firstMs: 5000, soonestMs: 20_000, longestMs: 4 * 3_600_000 },
  /** Minimum and maximum interval between two polls of a preview's build. */
  previews: { soonestMs: 3000, longestMs: 20_000 },
}

export type SlackRates = Timing["rates"]
export type PauseLengths = Timing["pauses"]

/** The polling of a running job, between the configured minimum and maximum interval. */
export const POLLING = {
  steady: 2,
  /** Intervals then grow by this share of the job's age: after a long job, people can wait longer for the notice. */
  shareOfAge: 0.03,
  /** Intervals are up to this share shorter or longer, so that jobs that began together spread out. */
  jitter: 0.1,
  /** Time in ms after a follow-up during which the service may still report the job's previous ending. */
  turningMs: 20_000,
} as const

/** Returns the retry delay in ms after a failed write to Slack. @param failures in a row before this one */
export function againAfter({ failedMs }: Timing["tries"], failures: number): number {
  return Math.min(failedMs * 2 ** failures, 15 * 60_000)
}

/** Maximum failures in a row, about two hours, before the bot gives up a card, a closing reply or a session. */
export const MOST_FAILURES = 14

export const SESSIONS = {
  /** Delay in ms before the bot tries sessions again after Slack did not offer them to this app. */
  offMs: 24 * 3_600_000,
  /** Interval in ms for checking a session that Slack shows as working, in case the bot missed its end. */
  lookAgainMs: 10 * 60_000,
  /** Interval in ms for sending a session's status again, because Slack ends a session after an hour. */
  tellAgainMs: 45 * 60_000,
} as const

/** Time limits after SIGTERM for the work in flight and for the process, in ms: platforms kill it after 10 s. */
export const STOPPING = { workMs: 8000, processMs: 9500 } as const
