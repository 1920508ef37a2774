import type { Ending } from "./round.ts"
export interface Observation {
  ending?: Ending
  prLink?: string | undefined
  /** True if the service's job was seen active again after the message. */
  isActiveAgain?: true
  misses: number
  waitMs: number
}
