import type { Dice } from "../helpers/dice.ts"
import type { PullAction } from "../sandbox/github/pull.ts"

/** What people do once a request has ended, all of it thrown before it is asked. */
export interface After {
  /** What the same person says in its thread then. */
  readonly followUp: string | undefined
  /** How many press "Build preview" at the same moment. */
  readonly presses: 0 | 1 | 2
  readonly buildEnds: "success" | "failure"
  /** What becomes of the pull request, each so long after the last, ms. */
  readonly life: readonly { readonly afterMs: number; readonly action: PullAction }[]
}

const FORGOTTEN: readonly PullAction[] = []
const by = "ben"

const LIVES: readonly [readonly PullAction[], ...(readonly PullAction[])[]] = [
  FORGOTTEN,
  FORGOTTEN,
  [{ do: "merge", by }],
  [{ do: "merge", by }],
  [
    { do: "review", by, state: "CHANGES_REQUESTED" },
    { do: "review", by, state: "APPROVED" },
    { do: "merge", by: "ada" },
  ],
  [{ do: "review", by, state: "APPROVED" }],
  [{ do: "draft" }, { do: "ready" }, { do: "close" }],
  [{ do: "close" }, { do: "reopen" }, { do: "merge", by }],
]

/** Of nothing that anybody does afterwards. */
export const NOTHING: After = { followUp: undefined, presses: 0, buildEnds: "success", life: [] }

/** @param followUp its words, where it can have one */
export function makeUpAfter(dice: Dice, followUp: string | undefined): After {
  const asksOn = dice.chance(0.3)
  const presses = dice.chance(0.5) ? (dice.chance(0.4) ? 2 : 1) : 0
  const buildEnds = dice.chance(0.7) ? "success" : "failure"
  const life = dice.pick(LIVES).map((action) => ({ afterMs: dice.between(100, 2500), action }))
  return { followUp: asksOn ? followUp : undefined, presses, buildEnds, life }
}
