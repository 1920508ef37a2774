import type { ReviewRequest } from "../after/review-request.ts"
import type { Finding } from "../doctor/finding.ts"
import type { Forgetting } from "../jobs/forget.ts"
import type { OverviewFacts } from "../messages/overview.ts"
import type { Log } from "../runtime/log.ts"
import type { VisitorsDeps } from "../visitors/deps.ts"

/** Dependencies of the listeners. A command to Redis fails after 2 s; only `forgetting` waits. */
export interface AgentDeps extends VisitorsDeps {
  log: Log
  isStale: OverviewFacts["isStale"]
  /** Returns true only if Slack has shown that the bot can't post in this channel. */
  isShutOut: (channel: string) => Promise<boolean>
  projects: VisitorsDeps["config"]["docs"]["projects"]
  examine: () => Promise<Finding[]>
  forgetting: Forgetting
  /** Makes the bot send the thread's session status again, whatever it sent before. */
  showAgain: (channel: string, root: string) => Promise<void>
  /** Turns a review into a follow-up's text; absent without a GitHub token. */
  readReview:
    | ((job: string) => Promise<ReviewRequest | "nothing" | "unavailable" | undefined>)
    | undefined
  /** Returns the code with which Slack refuses the bot's token, if it does. */
  tokenRefused: () => string | undefined
}

/** Returns the project that was typed (undefined if unknown), or the channel's, or the first. */
export function projectFor(
  { projects }: Pick<AgentDeps, "projects">,
  channel: string,
  typed: string | undefined,
) {
  if (typed === undefined)
    return projects.find(({ channels }) => channels.has(channel)) ?? projects[0]
  return projects.find(({ name }) => name.toLowerCase() === typed.toLowerCase())
}
