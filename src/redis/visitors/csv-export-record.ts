import { createHash } from "node:crypto"
import { z } from "zod"
import { defined } from "../../runtime/defined.ts"
import type { CsvExport, ExportRequest } from "../../visitors/export-ports.ts"
import { figureNames } from "../../visitors/question.ts"
import { walkEnds } from "../../visitors/walk.ts"
import { RecordError } from "../record.ts"

/** A whole number as Redis counts it up. */
const number = z
  .string()
  .regex(/^-?\d{1,16}$/, "is no whole number")
  .transform(Number)

/** An export as its Redis hash. */
const exportRecord = z.object({
  v: z.literal("1"),
  id: z.string(),
  state: z.enum(["reading", "sending"]),
  team: z.string(),
  project: z.string(),
  from: z.iso.date(),
  to: z.iso.date(),
  filter: z.string().exactOptional(),
  by: z.enum(figureNames).exactOptional(),
  low: number.exactOptional(),
  high: number.exactOptional(),
  offset: number.default(0),
  pages: number.default(0),
  rows: number.default(0),
  bytes: number,
  repeats: number.default(0),
  failures: number.default(0),
  at: number,
  end: z.enum(walkEnds).exactOptional(),
})

/** What an export is asked for with, as fields of its hash. */
export function requestFields(request: ExportRequest): Record<string, string | number> {
  const { team, project, range, filter, by, size } = request
  return defined({ v: "1", team, project, ...range, filter, by, ...size })
}

/** The same for the same question, whoever asks. */
export function questionKey({ team, project, range, filter, by }: ExportRequest): string {
  const order = by === undefined ? [] : [by]
  const words = JSON.stringify([team, project, range.from, range.to, filter ?? "", ...order])
  return createHash("sha256").update(words).digest("base64url")
}

/** @throws RecordError naming the field when the record is of no known version or broken. */
export function toExport(id: string, hash: Readonly<Record<string, string>>): CsvExport {
  const parsed = exportRecord.safeParse({ ...hash, id })
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new RecordError(
      `The stored export ${id} cannot be read: ${issue?.path.join(".")} ${issue?.message}. ` +
        "It was written by another version, or changed by hand.",
    )
  }
  const { v: _, from, to, low, high, at, ...rest } = parsed.data
  const size = low === undefined || high === undefined ? undefined : { low, high }
  return { ...rest, range: { from, to }, askedAt: at, ...defined({ size }) }
}
