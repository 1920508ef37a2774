import { DocsError, orDocsError } from "../docs-service/docs-error.ts"
import type { Message } from "../slack/message.ts"
import { type CommentSource, commentGaps, readComments } from "./comments.ts"
import { digestMessage } from "./digest-message.ts"
import { type Digest, digestRange, lastDue } from "./digest-schedule.ts"
import type { FallbackLevel } from "./message-fallback.ts"
import type { Range } from "./range.ts"
import { type ReportSource, readReport } from "./report.ts"
import type { RequestedGaps } from "./requested-gaps.ts"

export interface DigestDeps extends ReportSource, CommentSource {
  requested: RequestedGaps
  /** Says in two lines what came of a project's requests in a period. */
  outcomeLines: (project: string, range: Range) => Promise<string[]>
}

/** Makes a digest. @param due when it was first due, in ms @throws DocsError */
export async function makeDigest(
  deps: DigestDeps,
  { project, rhythm, zone }: Digest,
  { due, now }: { due: number; now: number },
): Promise<(level: FallbackLevel) => Message> {
  const range = digestRange(rhythm.every, lastDue(rhythm, zone, due, now))
  const report = await readReport(deps, { project, range, page: 1 }, undefined)
  if (rhythm.every !== "weekly") return (level) => digestMessage(report, level)
  const written = await readWritten(deps, project, range)
  const outcomes = await deps.outcomeLines(project, range)
  return (level) => digestMessage(report, level, outcomes, written)
}

/** Counts the comments of a week and how many led to a request; undefined if it can't be read. */
async function readWritten(deps: DigestDeps, project: string, range: Range) {
  const comments = await readComments(deps, undefined, project, range, "any").catch(orDocsError)
  // A digest is worth posting without this line.
  if (comments instanceof DocsError) return undefined
  const groups = commentGaps(comments)
  const keys = groups.flatMap((group) => group.keys)
  return { groups, requested: (await deps.requested.find(project, keys)).size }
}
