import { GAP_MS, SLACK_RATES, type SlackRates } from "../redis/outbox.ts"
import { PAUSE_LENGTHS, type PauseLengths } from "../redis/slot-store.ts"
import { TIMEOUT_MS } from "../slack/client.ts"

/** Intervals that no deployment sets: right for Slack and for a service that is far away. */
export interface Timing {
  /** A claim of a process that died is free for another after this, ms. */
  leaseMs: number
  /** One Web API call, ms. A post begins within half a lease and must end within the other half. */
  slackTimeoutMs: number
  /** Slack's limits on writing. */
  rates: SlackRates
  /** Between two writes about one job, ms. */
  gapMs: number
  /** Longest rest between two reads of a queue, ms: another process may have queued something. */
  restMs: number
  /** How long a project rests after a creation that went wrong. */
  pauses: PauseLengths
}

/** Of every deployment. */
export const TIMING: Timing = {
  leaseMs: 30_000,
  slackTimeoutMs: TIMEOUT_MS,
  rates: SLACK_RATES,
  gapMs: GAP_MS,
  restMs: 1000,
  pauses: PAUSE_LENGTHS,
}
