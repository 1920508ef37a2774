import type { Preview } from "../jobs/job.ts"

/** What comes after a step. `held`: the caller goes on; absent: nothing. */
export interface After {
  waitMs?: number | "held"
  /** Should people see it? */
  isNews: boolean
}

/** Previews that people asked for; each is kept in its job. */
export interface PreviewStore {
  /**
   * False where one is on its way already, or the job has no branch.
   * @param after when the build was asked for that the person saw, ms: with a later one it is false as well
   */
  ask(job: string, by: string, after?: number): Promise<boolean>
  /** Jobs whose preview has a next step due, leased to the caller. `now`: the moment of the claim, ms. */
  claim(limit: number): Promise<{ now: number; lease: string; ids: string[] }>
  /** @param preview undefined takes it away, for good: the deployment has none. False when the lease was lost */
  record(lease: string, job: string, preview: Preview | undefined, after: After): Promise<boolean>
  /**
   * 0 when this person may ask for one more in this minute, else ms to wait. The last places of a minute are
   * kept for people who have had none in it.
   */
  takePlace(project: string, user: string): Promise<number>
}
