import type { Context } from "../jobs/context.ts"
import type { OverviewFacts } from "../messages/status-and-home.ts"
import type { Profile } from "../slack/profiles.ts"

/** Context of what people ask for in Slack, and what other rooms add to it. */
export interface Asking {
  context: Context
  /** Reads a person's jobs and the queues. @param only ids of the jobs to read instead */
  overview: (
    profile: Pick<Profile, "user" | "timeZone">,
    only?: readonly string[],
  ) => Promise<OverviewFacts>
  requested: {
    /** Remembers which job a request about gaps became. */
    note(project: string, gaps: readonly string[], note: { job: string }): Promise<void>
  }
}
