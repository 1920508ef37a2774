import { DocsError, orDocsError } from "../../errors/docs-error.ts"
import type { Clock } from "../../runtime/clock.ts"
import type { Range } from "../range.ts"
import { createReadOnce } from "../read-once.ts"
import type { AnalyticsHour, Reader, SharedReadings } from "../reading-ports.ts"
import { keepMs } from "../readings.ts"
import { type Missing, missing } from "../report.ts"
import type { Absences, OpenGapRequests } from "./ports.ts"
import { MOST_REQUESTS, readGaps } from "./read.ts"
import { type GapFacts, type GapQuestion, type GapReport, gapReport } from "./report.ts"

/** An answer of which a part could not be had is asked for again soon, ms. */
const FAILED_MS = 60_000

export type GapAnswer =
  | { kind: "answer"; report: GapReport }
  | { kind: "unavailable"; why: Missing }
  /** The hour has not as many requests left as it may take. */
  | { kind: "too_few_left"; needed: number; free: number; why: Missing }

export type AskGaps = (question: GapQuestion, reader: Reader) => Promise<GapAnswer>

interface GapQueryDeps {
  open: OpenGapRequests
  absences: Absences
  hour: AnalyticsHour
  shared: SharedReadings<GapFacts>
  now: Clock
  /** What tells a project's numbers from all others, whatever it is called. */
  subjectOf: (project: string) => string
}

/** What readers did not find; read once for all who ask, and kept as long as the visitors' figures. */
export function createGapQuery(deps: GapQueryDeps): AskGaps {
  const { open, absences, hour, shared, now, subjectOf } = deps
  const once = createReadOnce(shared)

  const read = (reader: Reader, project: string, range: Range) =>
    once(`${subjectOf(project)}:${range.from}:${range.to}`, async (renew) => {
      const at = await now()
      const { perHour } = await hour.room(project, reader)
      const requests = await open(reader, project, neededOf(perHour))
      try {
        const value = await readGaps({ requests, absences }, project, range, renew)
        const failed = Object.values(value).some(({ kind }) => kind === "failed")
        return { reading: { value, at }, keepMs: failed ? FAILED_MS : keepMs(range, at) }
      } finally {
        await requests.close()
      }
    })

  return async (question, reader) => {
    const { project, range } = question
    const reading = await read(reader, project, range).catch(orDocsError)
    if (!(reading instanceof DocsError))
      return { kind: "answer", report: gapReport(question, reading.value, reading.at) }
    const why = missing(reading, await now())
    const { free, perHour } = await hour.room(project, reader)
    const needed = neededOf(perHour)
    return reading.fault === "rate_limited" && free < needed
      ? { kind: "too_few_left", needed, free, why }
      : { kind: "unavailable", why }
  }
}

/** Where a whole hour has fewer, these have to do. */
function neededOf(perHour: number): number {
  return Math.min(MOST_REQUESTS, perHour)
}
