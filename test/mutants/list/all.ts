import type { Mutant } from "../mutant.ts"
import { ABUSE } from "./abuse.ts"
import { ACCESS } from "./access.ts"
import { ALERTS } from "./alerts.ts"
import { ANSWERING } from "./answering.ts"
import { ASKING } from "./asking.ts"
import { CLOCKS } from "./clocks.ts"
import { CLUSTER } from "./cluster.ts"
import { DELIVERY } from "./delivery.ts"
import { FOLLOWING } from "./following.ts"
import { GAPS } from "./gaps.ts"
import { HOUR } from "./hour.ts"
import { IDENTITY } from "./identity.ts"
import { MESSAGES } from "./messages.ts"
import { PREVIEWS } from "./previews.ts"
import { PULLS } from "./pulls.ts"
import { SESSIONS } from "./sessions.ts"
import { SIGHT } from "./sight.ts"
import { STORED } from "./stored.ts"
import { VISITORS } from "./visitors.ts"
import { WAKE_UPS } from "./wake-ups.ts"

/** Every breakage. One guard each; where two guards stand behind each other, neither is listed. */
export const MUTANTS: readonly Mutant[] = [
  ...ANSWERING,
  ...ASKING,
  ...HOUR,
  ...MESSAGES,
  ...PREVIEWS,
  ...SESSIONS,
  ...PULLS,
  ...FOLLOWING,
  ...DELIVERY,
  ...ABUSE,
  ...ACCESS,
  ...VISITORS,
  ...GAPS,
  ...ALERTS,
  ...STORED,
  ...CLUSTER,
  ...CLOCKS,
  ...IDENTITY,
  ...SIGHT,
  ...WAKE_UPS,
]
