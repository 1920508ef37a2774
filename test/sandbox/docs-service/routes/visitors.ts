import { json, type Reply } from "../../kit/reply.ts"
import { admit } from "../admit.ts"
import { type AnalyticsQuery, readAnalyticsQuery } from "../analytics/paging.ts"
import type { ParsedFault } from "../faults.ts"
import type { Project } from "../project.ts"
import type { State } from "../state.ts"
import { type PageRow, rememberedDays } from "../visitors/data-set.ts"

/** Returns visitors (section 4.2 of the API document). A rejected request doesn't count. */
export function visitors(
  state: State,
  project: Project,
  parameters: URLSearchParams,
  fault: ParsedFault | undefined,
): Reply {
  const now = state.now()
  const read = readAnalyticsQuery(parameters, rememberedDays(now), { max: 250, usual: 50 })
  if ("refusal" in read) return read.refusal
  const refusal = admit(state, "analytics", project)
  if (refusal) return refusal
  const whole = state.visitors.read(project.id, read.query, state.settings.visitors, now)
  return json(200, { totals: whole.totals, ...pageOf(whole.visitors, read.query, fault) })
}

function pageOf(
  rows: readonly PageRow[],
  { offset, limit }: AnalyticsQuery,
  fault: ParsedFault | undefined,
) {
  switch (fault?.type) {
    case "endless_export": {
      const start = offset % Math.max(1, rows.length)
      return { visitors: rows.slice(start, start + limit), hasMore: true }
    }
    case "empty_page":
      return { visitors: [], hasMore: true }
    default:
      return {
        visitors: rows.slice(offset, offset + limit),
        hasMore: offset + limit < rows.length,
      }
  }
}
