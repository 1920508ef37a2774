/** A rolling hour is kept 5 s long on top, ms: for clocks that are slewed. */
export const WINDOW_MS = 3_600_000 + 5_000

/** What Slack takes, each as interval in ms and burst. */
export interface SlackRates {
  channelPost: readonly [number, number]
  workspacePost: readonly [number, number]
  edit: readonly [number, number]
  /** Setting a session's status, whose limit is its own: no card waits for it. */
  session: readonly [number, number]
}

/** How long a project rests; each length doubles with every further failure, ms. */
export interface PauseLengths {
  /** After a refusal that does not say how long. */
  firstMs: number
  /** After one creation with an unknown outcome. */
  outageFirstMs: number
  longestMs: number
}

/** Intervals that no deployment sets: right for Slack and for a service that is far away. */
export interface Timing {
  /** A claim of a process that died is free for another after this, ms. */
  leaseMs: number
  /** One Web API call, ms. A post begins within half a lease and must end within the other half. */
  slackTimeoutMs: number
  /** Slack's limits on writing. */
  rates: SlackRates
  /** Between two writes about one job, ms: changes in between become one edit, the latest state wins. */
  gapMs: number
  /** Longest rest between two reads of a queue, ms: a message that something may start can be lost. */
  restMs: number
  /**
   * Within this time after the acknowledgement a person has the answer, or is told that it takes
   * longer, ms.
   */
  workWithinMs: number
  /** Slack is waited for so long to say who somebody is, before an acknowledgement, ms. */
  profileWithinMs: number
  /** Between the openings of the connections of Socket Mode, ms. */
  socketsApartMs: number
  /** How long a project rests after a creation that went wrong. */
  pauses: PauseLengths
  /** A project that no process has had configured for so long is nobody's, ms: deployments roll meanwhile. */
  abandonedMs: number
  /** Between two reads that ask whether a refused key is taken again, ms. */
  probeMs: number
  /** One request to GitHub, ms. */
  gitHubTimeoutMs: number
  /** From the link to the first poll of the pull request, and the waits between polls, ms. */
  pulls: { firstMs: number; soonestMs: number; longestMs: number }
  /** When the audit's entries are packed. */
  audit: PackRests
  /** When ended jobs are packed. */
  kept: PackRests
  /** Between two questions about a preview that is built: the first wait and the longest, ms. */
  previews: { soonestMs: number; longestMs: number }
}

/** When records that have come to rest are packed. Times in ms. */
export interface PackTimes {
  /** From the end of a job until it is packed: it may yet be followed again. */
  restMs: number
  /** Before the first pack ever: processes of an older version, which read none, are gone by then. */
  afterMs: number
  /** So many are packed at once, fewer only after hours: more compress better. */
  few: number
}

interface PackRests extends PackTimes {
  /** Between two looks whether there is something to pack. */
  everyMs: number
}

export const AUDIT: PackRests = {
  restMs: 10 * 60_000,
  afterMs: 3_600_000,
  everyMs: 5 * 60_000,
  few: 1000,
}

/**
 * They rest for longer than the same words are asked about, which are looked up beside the job. Few,
 * as all of a pack are read for one of it.
 */
export const KEPT: PackRests = { ...AUDIT, restMs: 20 * 60_000, few: 250 }

/** Of every deployment. */
export const TIMING: Timing = {
  leaseMs: 30_000,
  // The client's own default is to wait for ever.
  slackTimeoutMs: 10_000,
  // Slack's documented limits; edits have 50 in any minute per workspace, and here 45: reports and
  // exports are edited as well.
  rates: { channelPost: [1000, 3], workspacePost: [300, 20], edit: [1600, 8], session: [1600, 8] },
  gapMs: 1500,
  restMs: 4000,
  workWithinMs: 8000,
  // Slack gives three seconds; most of its answers take a tenth of one.
  profileWithinMs: 600,
  // Slack refreshes a connection about hourly and says so some 10 s before.
  socketsApartMs: 60_000,
  pauses: { firstMs: 60_000, outageFirstMs: 15_000, longestMs: 15 * 60_000 },
  abandonedMs: 10 * 60_000,
  probeMs: 60_000,
  gitHubTimeoutMs: 10_000,
  pulls: { firstMs: 5000, soonestMs: 20_000, longestMs: 4 * 3_600_000 },
  audit: AUDIT,
  kept: KEPT,
  previews: { soonestMs: 3000, longestMs: 20_000 },
}

/** From the grant to the request that creates a job, ms: loops stall, and Redis may be away for a moment. */
export const CREATION_MARGIN_MS = 5000

/**
 * How long loops of the worker rest, ms, that have something to look at now and then; all others sleep
 * until something is due.
 */
export const RESTS = {
  /** Of a queue that cannot start anything, where the limiter does not say for how long. */
  dispatch: 300,
  /** Places change with every start; looking more often would only cost. */
  refresh: 3000,
  adminNotices: 3000,
  /** Between two looks at whether a queue waits for a key. */
  keyCheck: 3000,
  projects: 30_000,
} as const

/** Looks at everything that is due, in case a message that says so was lost. */
export const LOOKS = {
  /** Nothing is noticed later than this, ms. */
  everyMs: 4000,
  /** While the bot does not hear its own messages, ms. */
  deafMs: 250,
  /**
   * Messages lost in a row before an operator is told: a single one may be lost with its
   * connection.
   */
  missesToTell: 8,
} as const

/** How a running job is polled, between the shortest and the longest wait of the configuration. */
export const POLLING = {
  /** Once a job did not end at once, one wait is this many times the shortest. */
  steady: 2,
  /** Waits then grow by this share of the job's age: who waited long for the job can wait longer for the notice. */
  shareOfAge: 0.03,
  /** Share of a wait by which it is shorter or longer, so that jobs that began together spread. */
  jitter: 0.1,
  /** A job that got a message may be reported with its old ending for this long before it turns active, ms. */
  turningMs: 20_000,
} as const

/** Until another try after so many failures before this one, ms. */
export function againAfter(failures: number): number {
  return Math.min(5000 * 2 ** failures, 15 * 60_000)
}

/** Tries of what Slack should show: a card, a closing reply, a session. */
export const SLACK_TRIES = {
  /** When Slack does not say for how long it takes nothing, ms. */
  laterMs: 3000,
  /** After an answer that never came, ms: Slack may still be applying it, so look a little later. */
  lookUpAgainMs: 5000,
  /** Failures in a row, some two hours of them, after which it is given up. */
  mostFailures: 14,
} as const

/** A thread's session in Slack's agent surface. */
export const SESSIONS = {
  /** What Slack does not offer this app is not tried again before, ms. */
  offMs: 24 * 3_600_000,
  /** A session that is shown as working is looked at again after this, ms, in case nobody told of its end. */
  lookAgainMs: 10 * 60_000,
  /** Slack itself takes it for done after an hour, unless it is told again; ms. */
  tellAgainMs: 45 * 60_000,
} as const

/** Tries of a digest. */
export const DIGESTS = {
  /** Reading ten pages at their slowest and posting, ms. */
  leaseMs: 5 * 60_000,
  /** Before another try after the service or Slack failed, ms. */
  againMs: 5 * 60_000,
} as const

/** The alert about visitors. */
export const ALERTS = {
  /** Reading nine days at their slowest and posting, ms. */
  leaseMs: 5 * 60_000,
  /** First look at a day, after its end in UTC, ms: the service's data lags by minutes. */
  firstLookMs: 70 * 60_000,
  /** A day is looked at again after this, ms, until two looks agree: data may be late by hours. */
  againMs: 2 * 3_600_000,
  /** It is taken as it is so long after its end, ms. */
  patienceMs: 36 * 3_600_000,
  /** Before another try after the service or Slack failed, ms. */
  failedMs: 15 * 60_000,
} as const

/** When the service refuses a reading without saying for how long, ms. */
export const READING_PAUSE_MS = 60_000

/** The work on one CSV export. */
export const EXPORTS = {
  /** One request, a write and a good deal of patience, ms: a lease is renewed with every page. */
  leaseMs: 90_000,
  /** How long one pass reads on, ms; a process that stops waits for no more than this. */
  workMs: 4000,
  /** Between two edits of the progress, ms: Slack takes 50 edits a minute of the whole workspace. */
  progressMs: 10_000,
  /** Before a file is sent again after Slack did not take it, ms. */
  sendAgainMs: 30_000,
} as const

/** How often Slack is asked whether it still knows the bot, ms; and while it does not answer. */
export const TOKEN_CHECK = { everyMs: 60_000, againMs: 5000 } as const

/** After SIGTERM. */
export const STOPPING = {
  /** What is in hand is waited for so long, ms. */
  workMs: 8000,
  /** The process ends after this, ms; platforms kill it some time later. */
  processMs: 10_000,
} as const
