/** A rolling hour is kept 5 s long on top, ms: for clocks that are slewed. */
export const WINDOW_MS = 3_600_000 + 5_000

/** What Slack takes, each as interval in ms and burst. */
export interface SlackRates {
  channelPost: readonly [number, number]
  workspacePost: readonly [number, number]
  edit: readonly [number, number]
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
  /** Longest rest between two reads of a queue, ms: another process may have queued something. */
  restMs: number
  /** After the acknowledgement a person hears within this time, ms, if only that it takes longer. */
  workWithinMs: number
  /** How long a project rests after a creation that went wrong. */
  pauses: PauseLengths
}

/** Of every deployment. */
export const TIMING: Timing = {
  leaseMs: 30_000,
  // The client's own default is to wait for ever.
  slackTimeoutMs: 10_000,
  // Slack's documented limits; edits have 50 a minute per workspace.
  rates: { channelPost: [1000, 3], workspacePost: [300, 20], edit: [1500, 10] },
  gapMs: 1500,
  restMs: 1000,
  workWithinMs: 8000,
  pauses: { firstMs: 60_000, outageFirstMs: 15_000, longestMs: 15 * 60_000 },
}
