/** A rolling hour counts 5 s longer than an hour, as clocks may be slewed; ms. */
export const WINDOW_MS = 3_600_000 + 5_000

/** Slack's rate limits, each as an interval in ms and a burst. */
export interface SlackRates {
  channelPost: readonly [number, number]
  workspacePost: readonly [number, number]
  edit: readonly [number, number]
  /** Setting a session's status, whose limit is its own: no card waits for it. */
  session: readonly [number, number]
}

/** Attempts to write a card, a closing reply or a session to Slack. */
export interface SlackTries {
  /** Before the next attempt, if Slack does not say how long to wait, ms. */
  laterMs: number
  /** After an answer that never came, ms: Slack may still be applying it, so look a little later. */
  lookUpAgainMs: number
  /** After the first failure, ms; each further one doubles it. */
  failedMs: number
}

/**
 * How long the worker's loops rest that check something at intervals, ms; all other loops sleep until
 * something is due.
 */
interface Rests {
  /** Places change with every start; looking more often would only cost. */
  refresh: number
  adminNotices: number
  /** Between two checks whether a queue waits for a key. */
  keyCheck: number
}

/** How long a project pauses after a failure, ms; each further failure doubles it. */
export interface PauseLengths {
  /** After a refusal that does not say how long to wait. */
  firstMs: number
  /** After one creation with an unknown outcome. */
  outageFirstMs: number
  longestMs: number
}

/** Intervals that are not settings: they suit Slack and a service that is far away. */
export interface Timing {
  /** When a process dies, another may take over its claims after this, ms. */
  leaseMs: number
  /** One Web API call, ms. A post begins within half a lease and must end within the other half. */
  slackTimeoutMs: number
  /** Slack's limits on writing. */
  rates: SlackRates
  tries: SlackTries
  rests: Rests
  /** Between two writes about one job, ms: changes in between become one edit that shows the latest state. */
  gapMs: number
  /** Longest wait between two reads of a queue, ms: the message that a job may start can get lost. */
  restMs: number
  /**
   * Within this time after the acknowledgement, people get their answer or are told that it takes
   * longer, ms.
   */
  workWithinMs: number
  /** An acknowledgement goes out by then, whatever the answer waits for, ms. */
  answerWithinMs: number
  /** Between the openings of two Socket Mode connections, ms. */
  socketsApartMs: number
  /** How long a project pauses after a creation that went wrong. */
  pauses: PauseLengths
  /** A project is abandoned when no process had it configured for this long, ms: longer than a rolling restart. */
  abandonedMs: number
  /** Between two reads that test whether a rejected key is accepted again, ms. */
  probeMs: number
  /** One request to GitHub, ms. */
  gitHubTimeoutMs: number
  /** From the link to the first poll of the pull request, and the waits between polls, ms. */
  pulls: { firstMs: number; soonestMs: number; longestMs: number }
  /** Between two polls of a preview's build: the first wait and the longest, ms. */
  previews: { soonestMs: number; longestMs: number }
}

/** Of every deployment. */
export const TIMING: Timing = {
  leaseMs: 30_000,
  // The client's own default is to wait for ever.
  slackTimeoutMs: 10_000,
  // Slack's documented limits. It allows 50 edits a minute per workspace; cards use 45, as reports and
  // exports are edited as well.
  rates: { channelPost: [1000, 3], workspacePost: [300, 20], edit: [1600, 8], session: [1600, 8] },
  tries: { laterMs: 3000, lookUpAgainMs: 5000, failedMs: 5000 },
  rests: { refresh: 3000, adminNotices: 3000, keyCheck: 3000 },
  gapMs: 1500,
  restMs: 4000,
  workWithinMs: 8000,
  // Slack shows an error after 3 s; the answer needs a moment on its way.
  answerWithinMs: 2500,
  // Slack refreshes a connection about hourly and says so some 10 s before.
  socketsApartMs: 60_000,
  pauses: { firstMs: 60_000, outageFirstMs: 15_000, longestMs: 15 * 60_000 },
  abandonedMs: 10 * 60_000,
  probeMs: 60_000,
  gitHubTimeoutMs: 10_000,
  pulls: { firstMs: 5000, soonestMs: 20_000, longestMs: 4 * 3_600_000 },
  previews: { soonestMs: 3000, longestMs: 20_000 },
}

/** Longest time from the grant to the request that creates a job, ms: loops stall, and Redis may be away briefly. */
export const CREATION_MARGIN_MS = 5000

/** Checks of everything that is due, in case the message that says so was lost. */
export const LOOKS = {
  /** Nothing is noticed later than this, ms. */
  everyMs: 4000,
  /** While the bot's own messages do not come back, ms. */
  deafMs: 250,
  /**
   * Messages lost in a row before an operator is told: a single one may be lost with its
   * connection.
   */
  missesToTell: 8,
} as const

/** How a running job is polled, between the shortest and the longest wait of the configuration. */
export const POLLING = {
  /** If a job does not end at once, the next wait is this many times the shortest. */
  steady: 2,
  /** Waits then grow by this share of the job's age: after a long job, people can wait longer for the notice. */
  shareOfAge: 0.03,
  /** Waits are up to this share shorter or longer, so that jobs that began together spread out. */
  jitter: 0.1,
  /** After a message, the service may report a job's old ending for this long before it turns active, ms. */
  turningMs: 20_000,
} as const

/** How long to wait after a failure, ms. @param failures how many there were in a row before it */
export function againAfter({ failedMs }: SlackTries, failures: number): number {
  return Math.min(failedMs * 2 ** failures, 15 * 60_000)
}

/** Failures in a row, about two hours of them, before a card, a closing reply or a session is given up. */
export const MOST_FAILURES = 14

/** A thread's session in Slack's agent surface. */
export const SESSIONS = {
  /** How long until what Slack does not offer this app is tried again, ms. */
  offMs: 24 * 3_600_000,
  /** A session that is shown as working is checked again after this, ms, in case its end went unnoticed. */
  lookAgainMs: 10 * 60_000,
  /** Slack ends a session by itself after an hour, so its status is sent again after this, ms. */
  tellAgainMs: 45 * 60_000,
} as const

/** How often Slack is asked whether it still knows the bot, ms; and while it does not answer. */
export const TOKEN_CHECK = { everyMs: 60_000, againMs: 5000 } as const

/** After SIGTERM. */
export const STOPPING = {
  /** How long work in progress may take to finish, ms. */
  workMs: 8000,
  /** The process ends after this, ms; platforms kill it some time later. */
  processMs: 10_000,
} as const
