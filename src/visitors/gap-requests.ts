import { createHash } from "node:crypto"
import { isUnderWay } from "../jobs/job.ts"
import { defined } from "../runtime/defined.ts"
import type { VisitorsDeps } from "./deps.ts"
import { type Gap, sameWords } from "./gaps.ts"

/** Returns a hash that identifies a gap even after its numbers change. */
export function hashOfGap(gap: Gap): string {
  const words = gap.kind === "page" ? gap.path : sameWords(gap.text)
  return createHash("sha256").update(`${gap.kind} ${words}`).digest("base64url")
}

export type GapRequest = NonNullable<Awaited<ReturnType<typeof requestAbout>>>

/** Returns the request under way about a gap, if any; after that, people may ask again. */
export async function requestAbout(
  { jobs, permalink }: Pick<VisitorsDeps, "jobs" | "permalink">,
  project: string,
  gap: Gap,
) {
  const job = await jobs.about(project, hashOfGap(gap))
  if (!job || !isUnderWay(job)) return undefined
  const { channel, card, thread } = job
  return defined({ card: card && permalink(channel, card, thread) })
}
