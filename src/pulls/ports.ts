import type { PullState } from "../jobs/job.ts"
import type { HourlyLimit, PullFacts, PullRef } from "../ports/github.ts"

/** One pull request that is followed, whichever jobs it came of. */
export interface FollowedPull {
  id: string
  ref: PullRef
  /** Since when it is followed for its latest job, ms. */
  since: number
  facts: PullFacts | undefined
  /** What its jobs show. */
  state: PullState | undefined
  /** Tries in a row without an answer. */
  failures: number
  reminded: boolean
}

/** What one poll found. */
export interface PullNews {
  facts?: PullFacts
  state?: PullState
  failures: number
  /** Until the next poll, ms; absent: it is not followed any more. */
  waitMs?: number
  /** Id of the job in whose thread people are reminded, once. */
  remind?: string
}

export interface PullStore {
  /** Follows the pull request for this job as well. Idempotent; the next poll is soon. */
  watch(job: string, ref: PullRef): Promise<void>
  /** Pull requests whose poll is due, leased to the caller; `now`: the moment of the claim, ms. */
  claim(limit: number): Promise<{ now: number; lease: string; pulls: FollowedPull[] }>
  /** Ids of its jobs. */
  jobsOf(id: string): Promise<string[]>
  /** False when the lease was lost. */
  record(lease: string, pull: FollowedPull, news: PullNews): Promise<boolean>
  /** Somebody wants to see them: those that were not polled just now are due. */
  pollSoon(ids: readonly string[]): Promise<void>
}

/** The part of the token's hour that is the bot's, over all processes. */
export interface GitHubBudget {
  /** 0 when so many requests may be made, else ms to wait. */
  take(requests: number): Promise<number>
  learn(rate: HourlyLimit): Promise<void>
  pause(ms: number): Promise<void>
}
