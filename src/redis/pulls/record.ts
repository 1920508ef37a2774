import { z } from "zod"
import { pullStates } from "../../jobs/job.ts"
import type { FollowedPull, PullNews } from "../../pulls/ports.ts"
import { defined } from "../../runtime/defined.ts"
import { RecordError } from "../record.ts"

export const PULL_VERSION = 1

const number = z.coerce.number()

/** A followed pull request as its Redis hash. */
const pullShape = z.object({
  v: z.literal(String(PULL_VERSION)),
  owner: z.string(),
  repo: z.string(),
  number,
  since: number,
  state: z.enum(pullStates).exactOptional(),
  failures: number.default(0),
  reminded: z.literal("1").exactOptional(),
  phase: z.enum(["draft", "open", "merged", "closed"]).exactOptional(),
  by: z.string().exactOptional(),
  updated: number.default(0),
  tag: z.string().exactOptional(),
  verdict: z.enum(["none", "approved", "changes_requested"]).default("none"),
  reviewed: number.default(0),
  reviewsTag: z.string().exactOptional(),
})

/** @throws RecordError where it cannot be read */
export function toPull(id: string, hash: Readonly<Record<string, string>>): FollowedPull {
  const { success, data } = pullShape.safeParse(hash)
  if (!success) throw new RecordError(`The followed pull request ${id} cannot be read.`)
  const { owner, repo, since, state, failures, reminded, phase, by, verdict, reviewsTag } = data
  const facts = phase && {
    phase,
    verdict,
    updatedAt: data.updated,
    reviewedAt: data.reviewed,
    ...defined({ by, pullTag: data.tag, reviewsTag }),
  }
  const ref = { owner, repo, number: data.number }
  return { id, ref, since, facts, state, failures, reminded: reminded !== undefined }
}

/** Names and values in turn; an empty value takes the field away. */
export function newsFields({ facts, failures }: PullNews): (string | number)[] {
  const known = facts && {
    phase: facts.phase,
    by: facts.by,
    updated: facts.updatedAt,
    tag: facts.pullTag,
    verdict: facts.verdict,
    reviewed: facts.reviewedAt,
    reviewsTag: facts.reviewsTag,
  }
  return Object.entries({ ...known, failures }).flatMap(([name, value]) => [name, value ?? ""])
}
