import type { Forgetting } from "../asking/forget-me.ts"
import type { Log } from "../lib/log.ts"
import type { OverviewFacts } from "../messages/status-and-home.ts"
import type { Finding } from "../operating/doctor/finding.ts"
import type { OutcomesNeeds } from "../operating/report-outcomes.ts"
import type { ResultsNeeds } from "../pulls/results-channels.ts"
import type { ReviewDeps } from "../pulls/review.ts"
import type { VisitorsDeps } from "../visitors/deps.ts"

/** Dependencies of the listeners: of all use cases (`visitors/deps.ts`), and these of `web.ts`. */
export interface AgentDeps extends VisitorsDeps {
  log: Log
  isStale: OverviewFacts["isStale"]
  /** Returns true only if Slack has shown that the bot can't post in this channel. */
  isShutOut: (channel: string) => Promise<boolean>
  projects: VisitorsDeps["config"]["docs"]["projects"]
  examine: () => Promise<Finding[]>
  forgetting: Forgetting
  outcomes: OutcomesNeeds
  results: ResultsNeeds
  /** Access to reviews; undefined without a GitHub token. */
  reviews: ReviewDeps | undefined
  /** Returns the code with which Slack refuses the bot's token, if it does. */
  tokenRefused: () => string | undefined
}
