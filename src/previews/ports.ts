import type { Preview } from "../jobs/job.ts"

/** What comes after a step. `held`: the caller goes on; absent: nothing. */
export interface After {
  waitMs?: number | "held"
  /** Should people see it? */
  isNews: boolean
}

/**
 * Why there is no preview of a job any more: the deployment has none to offer, for good; or its pull
 * request is merged or closed, and opened again it may be asked for again.
 */
type Gone = "absent" | "over"

/** Previews that people asked for; each is kept in its job. */
export interface PreviewStore {
  /**
   * False where one is on its way already, or the job has no branch.
   * @param after when the build was asked for that the person saw, ms: with a later one it is false as well
   */
  ask(job: string, by: string, after?: number): Promise<boolean>
  /** Jobs whose preview has a next step due, leased to the caller. `now`: the moment of the claim, ms. */
  claim(limit: number): Promise<{ now: number; lease: string; ids: string[] }>
  /** False when the lease was lost. */
  record(lease: string, job: string, preview: Preview | Gone, after: After): Promise<boolean>
  /**
   * 0 when this person may ask for one more in this minute, else ms to wait. The last slots of a minute are
   * kept for people who have had none in it.
   */
  takeSlot(project: string, user: string): Promise<number>
}
