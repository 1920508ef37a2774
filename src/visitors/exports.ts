import { DocsError } from "../errors/docs-error.ts"
import type { Clock } from "../runtime/clock.ts"
import { defined } from "../runtime/defined.ts"
import type { CsvExports, ExportSize, Recipient } from "./export-ports.ts"
import { LARGEST_EXPORT } from "./export-size.ts"
import type { Question } from "./question.ts"
import type { AnalyticsHour } from "./reading-ports.ts"
import type { Readings } from "./readings.ts"
import { type Missing, missing } from "./report.ts"
import { EXPORT_LIMIT } from "./walk.ts"

/** What a CSV of everything would take. */
export interface ExportPlan {
  /** Absent when the hour has no requests left to find out with. */
  size?: ExportSize
  /** Requests, at most. */
  requests?: number
  /** Requests the hour has left for exports. */
  free: number
  /** About how long, hours; 0 when the hour's rest is enough. */
  hours?: number
  /** Rows an export reads in an hour, at most. */
  rowsPerHour: number
  /** There may be even more rows than `size` says. */
  endless: boolean
}

type PlanAnswer =
  /** Its ranking holds every row already: nothing more has to be read. */
  { kind: "at_once" } | { kind: "plan"; plan: ExportPlan } | { kind: "unavailable"; why: Missing }

export interface ExportsDeps {
  readings: Readings
  hour: AnalyticsHour
  exports: CsvExports
  now: Clock
}

/** What a CSV of this question would take. */
export async function planExport(
  { readings, hour, now }: ExportsDeps,
  { project, range }: Question,
  user: string,
): Promise<PlanAnswer> {
  const reader = { kind: "person", user } as const
  let size: ExportSize | undefined
  try {
    const { value: pages } = await readings.pages(reader, project, range)
    if (pages.end !== "cut") return { kind: "at_once" }
    size = (await readings.size(reader, project, range)).value
  } catch (error) {
    if (!(error instanceof DocsError)) throw error
    // With the hour used up the export can still be asked for: it waits for the next one.
    if (error.fault !== "rate_limited")
      return { kind: "unavailable", why: missing(error, await now()) }
  }
  const { free, perHour } = await hour.room(project, { kind: "export", user })
  return { kind: "plan", plan: makePlan(size, free, perHour) }
}

/** @param free requests of this hour @param perHour requests of every further hour */
function makePlan(size: ExportSize | undefined, free: number, perHour: number): ExportPlan {
  const hourly = Math.max(1, perHour)
  const rowsPerHour = hourly * EXPORT_LIMIT
  if (size === undefined) return { free, rowsPerHour, endless: false }
  const requests = Math.max(1, Math.ceil(size.high / EXPORT_LIMIT))
  const hours = requests <= free ? 0 : Math.ceil((requests - free) / hourly)
  return { size, requests, free, hours, rowsPerHour, endless: size.high >= LARGEST_EXPORT }
}

/** May it start without asking? */
export function fitsTheHour({ hours }: ExportPlan): boolean {
  return hours === 0
}

/** Puts the export on its way; a worker reads it and sends the file. */
export function startExport(
  { exports }: ExportsDeps,
  { project, range, filter, by }: Question,
  team: string,
  size: ExportSize | undefined,
  recipient: Recipient,
): Promise<{ id: string; joined: boolean }> {
  return exports.open(
    defined({ team, project, range, filter, by: by === "total" ? undefined : by, size }),
    recipient,
  )
}
