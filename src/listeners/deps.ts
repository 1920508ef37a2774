import type { Forgetting } from "../asking/forget-me.ts"
import type { Context } from "../jobs/context.ts"
import type { Finding } from "../operating/doctor/finding.ts"
import type { ReviewSource } from "../pulls/review.ts"
import type { VisitorsContext } from "../visitors/visitors-context.ts"

/** Dependencies of the listeners. */
export interface AgentDeps {
  context: Context
  visitors: VisitorsContext
  forgetting: Forgetting
  examine: () => Promise<Finding[]>
  /** Access to reviews; undefined without a GitHub token. */
  reviews: ReviewSource | undefined
}
