import { z } from "zod"
import { failure, type Reply } from "../../kit/reply.ts"
import { type DayRange, dayOf } from "../visitors/utc-day.ts"

/** Maximum and default page size of an operation. */
export interface Paging {
  readonly max: number
  readonly usual: number
}

export interface AnalyticsQuery extends DayRange {
  readonly limit: number
  readonly offset: number
}

/** Date of section 4.2 of the API document: ISO 8601 or `YYYY-MM-DD`; only the UTC day counts. */
const date = z
  .union([z.iso.date(), z.iso.datetime({ offset: true, local: true })], {
    error: "must be an ISO 8601 or YYYY-MM-DD date",
  })
  .transform(dayOf)

const digits = z
  .string()
  .regex(/^-?\d{1,15}$/, "must be an integer")
  .transform(Number)

function schemaOf({ max, usual }: Paging) {
  return z.object({
    dateFrom: date.optional(),
    dateTo: date.optional(),
    limit: digits.pipe(z.number().min(1).max(max)).default(usual),
    offset: digits.pipe(z.number().min(0)).default(0),
  })
}

/**
 * Returns an analytics operation's parameters, or the 400 that names the invalid ones. The document
 * doesn't say what an omitted date means: here, it is the end of the data on that side.
 */
export function readAnalyticsQuery(
  parameters: URLSearchParams,
  data: DayRange,
  paging: Paging,
): { query: AnalyticsQuery } | { refusal: Reply } {
  const parsed = schemaOf(paging).safeParse(Object.fromEntries(parameters))
  if (!parsed.success) {
    return refuse(
      parsed.error.issues.map(({ path, message }) => ({ path: path.join("."), message })),
    )
  }
  const { dateFrom: from = data.from, dateTo: to = data.to, limit, offset } = parsed.data
  if (parsed.data.dateFrom !== undefined && parsed.data.dateTo !== undefined && from > to) {
    return refuse([{ path: "dateFrom", message: "must not be after dateTo" }])
  }
  return { query: { from, to, limit, offset } }
}

function refuse(details: { path: string; message: string }[]): { refusal: Reply } {
  return { refusal: failure(400, "Invalid query parameters", details) }
}
