/** A rolling hour in ms, 5 s longer than an hour because clocks may be slewed. */
export const WINDOW_MS = 3_600_000 + 5_000

/** A rate as an interval in ms and a burst. */
const rate = (ms: number, burst: number): readonly [number, number] => [ms, burst]

export type Timing = typeof TIMING

/** The intervals in ms that are not settings. They suit Slack and a distant service. */
export const TIMING = {
  /** The time after which another process may take over a dead one's claims. */
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
   * The waits between attempts to write to Slack: if Slack names none; before a look-up after a call
   * without an answer, which Slack may still apply; and after a failure, doubled by each further one.
   */
  tries: { laterMs: 3000, lookUpAgainMs: 5000, failedMs: 5000 },
  /** The waits of loops that check something at intervals; all others sleep until something is due. */
  rests: { refresh: 3000, adminNotices: 3000, keyCheck: 3000 },
  /** The gap between two writes about one job: changes in between become one edit. */
  gapMs: 1500,
  /** The longest wait between two reads of a queue, because the message that a job may start can get lost. */
  restMs: 4000,
  /** Within this time after the acknowledgement, people get their answer or are told that it takes longer. */
  workWithinMs: 8000,
  /** Slack shows an error if the acknowledgement has not arrived after 3 s. */
  answerWithinMs: 2500,
  /** The gap between the openings of two connections: Slack refreshes one about hourly and says so some 10 s before. */
  socketsApartMs: 60_000,
  /** A project's pause if the service names none: after a refusal, and after a creation in doubt; doubles. */
  pauses: { firstMs: 60_000, outageFirstMs: 15_000, longestMs: 15 * 60_000 },
  /** The gap between two reads that test a rejected key. */
  probeMs: 60_000,
  gitHubTimeoutMs: 10_000,
  /** The wait from the link to the first reading of the pull request, and the waits between readings. */
  pulls: { firstMs: 5000, soonestMs: 20_000, longestMs: 4 * 3_600_000 },
  /** The first and the longest wait between two polls of a preview's build. */
  previews: { soonestMs: 3000, longestMs: 20_000 },
}

export type SlackRates = Timing["rates"]
export type PauseLengths = Timing["pauses"]

/** The polling of a running job, between the shortest and the longest wait of the configuration. */
export const POLLING = {
  steady: 2,
  /** Waits then grow by this share of the job's age: after a long job, people can wait longer for the notice. */
  shareOfAge: 0.03,
  /** Waits are up to this share shorter or longer, so that jobs that began together spread out. */
  jitter: 0.1,
  /** The time in ms for which the service may still report a job's old ending after a message. */
  turningMs: 20_000,
} as const

/** Returns the wait in ms after a failure to write to Slack. @param failures how many there were in a row before it */
export function againAfter({ failedMs }: Timing["tries"], failures: number): number {
  return Math.min(failedMs * 2 ** failures, 15 * 60_000)
}

/** After so many failures in a row, about two hours, the bot gives up a card, a closing reply or a session. */
export const MOST_FAILURES = 14

export const SESSIONS = {
  /** The wait in ms until a feature that Slack does not offer this app is tried again. */
  offMs: 24 * 3_600_000,
  /** A session that is shown as working is checked again after this time in ms, in case its end went unnoticed. */
  lookAgainMs: 10 * 60_000,
  /** A session's status is sent again after this time in ms, because Slack ends a session after an hour. */
  tellAgainMs: 45 * 60_000,
} as const

/** The time that work in hand has after SIGTERM, and that the process has, in ms: platforms kill it after 10 s. */
export const STOPPING = { workMs: 8000, processMs: 9500 } as const
