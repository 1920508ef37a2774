import { z } from "zod"
import { FaultBoard, type PlannedFault } from "../kit/fault-board.ts"
import { type Operation, operationSchema } from "./operations.ts"

/** Which requests a fault hits: all of them unless something is named. */
const scope = {
  kind: z.union([operationSchema, z.array(operationSchema).min(1)]).optional(),
  projectId: z.string().optional(),
  jobId: z.string().optional(),
  times: z.number().int().min(1).optional(),
  /** Hits each request with this chance, drawn from a generator that `seed` repeats. */
  probability: z.number().min(0).max(1).optional(),
  seed: z.number().int().optional(),
}

/** Before or after the request took effect. A creation dropped after it did happen. */
const when = z.enum(["before", "after"]).default("before")
const retryAfter = z.strictObject({
  seconds: z.number().int().min(0),
  /** As a count or as an HTTP date: deployments send either. */
  as: z.enum(["seconds", "date"]).default("seconds"),
})

export const faultSchema = z.discriminatedUnion("type", [
  z.strictObject({
    ...scope,
    type: z.literal("status"),
    status: z.number().int().min(200).max(599),
    body: z.enum(["error", "html", "empty", "malformed", "echo_authorization"]).default("error"),
    error: z.string().optional(),
    details: z.unknown().optional(),
    retryAfter: retryAfter.optional(),
    headers: z.record(z.string(), z.string()).optional(),
    when,
  }),
  z.strictObject({ ...scope, type: z.literal("expired_key") }),
  z.strictObject({ ...scope, type: z.literal("forbidden") }),
  z.strictObject({
    ...scope,
    type: z.literal("rate_limited"),
    retryAfter: retryAfter.optional(),
  }),
  /** The answer comes late; other faults may hit the same request as well. */
  z.strictObject({ ...scope, type: z.literal("delay"), ms: z.number().int().min(0), when }),
  z.strictObject({ ...scope, type: z.literal("hang"), when }),
  /** The connection is reset without an answer. */
  z.strictObject({ ...scope, type: z.literal("reset"), when }),
  /** Half of the announced bytes, then the connection closes. */
  z.strictObject({ ...scope, type: z.literal("truncated") }),
  z.strictObject({ ...scope, type: z.literal("body"), text: z.string() }),
  /** Valid JSON with another value at `path`, such as `status`, `source.ref` or `visitors.0.total`. */
  z.strictObject({ ...scope, type: z.literal("field"), path: z.string().min(1), value: z.json() }),
  z.strictObject({ ...scope, type: z.literal("missing_field"), path: z.string().min(1) }),
  /** The export never ends: rows start over, `hasMore` stays true. */
  z.strictObject({ ...scope, type: z.literal("endless_export") }),
  /** The export gives no rows but says that there are more. */
  z.strictObject({ ...scope, type: z.literal("empty_page") }),
])

export type Fault = z.input<typeof faultSchema>
export type ParsedFault = z.output<typeof faultSchema>

export type ActiveFault = PlannedFault<ParsedFault>
export type DocsFaults = FaultBoard<Fault, ParsedFault, FaultTarget>

export function docsFaults(onChange: () => void): DocsFaults {
  return new FaultBoard<Fault, ParsedFault, FaultTarget>({
    parse: (fault) => faultSchema.parse(fault),
    isMeantFor,
    delayOf: (fault) => (fault.type === "delay" ? fault : undefined),
    onChange,
  })
}

const EXPORT_FAULTS: readonly ParsedFault["type"][] = ["endless_export", "empty_page"]

export interface FaultTarget {
  readonly kind: Operation | "other"
  readonly projectId: string | undefined
  readonly jobId: string | undefined
}

/** Whether the fault is meant for this request; chance and count are not its business. */
function isMeantFor(fault: ParsedFault, target: FaultTarget): boolean {
  if (target.kind === "other") return false
  if (EXPORT_FAULTS.includes(fault.type) && target.kind !== "visitors") return false
  const kinds = fault.kind === undefined ? undefined : [fault.kind].flat()
  return (
    (kinds === undefined || kinds.includes(target.kind)) &&
    (fault.projectId === undefined || fault.projectId === target.projectId) &&
    (fault.jobId === undefined || fault.jobId === target.jobId)
  )
}
