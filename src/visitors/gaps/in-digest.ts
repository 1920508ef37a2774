import type { Range } from "../range.ts"
import type { Missing } from "../report.ts"
import type { ShownGapsStore } from "./ports.ts"
import type { AskGaps } from "./query.ts"
import type { Gap, GapReport } from "./report.ts"

/** Gaps below a digest, or why there are none. `id` is the opaque id of the shown ones. */
export type DigestGaps = { report: GapReport; id: string } | { why: Missing }

export type GapsForDigest = (
  place: { project: string; channel: string },
  range: Range,
) => Promise<DigestGaps>

/** @param shown which of the gaps are shown */
export function gapsForDigests(
  ask: AskGaps,
  store: ShownGapsStore,
  shown: (report: GapReport) => Gap[],
): GapsForDigest {
  return async ({ project, channel }, range) => {
    const question = { project, range }
    const answer = await ask(question, { kind: "digest" })
    if (answer.kind !== "answer") return { why: answer.why }
    const { report } = answer
    const id = await store.save({ to: { channel }, question, gaps: shown(report) })
    return { report, id }
  }
}
