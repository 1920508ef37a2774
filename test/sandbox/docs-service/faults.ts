import { z } from "zod"
import type { FaultBoard } from "../kit/fault-board.ts"
import { type Operation, operationSchema } from "./operations.ts"

/** Conditions on the requests that a fault affects; without any, it affects all of them. */
const scope = {
  kind: z.union([operationSchema, z.array(operationSchema).min(1)]).optional(),
  projectId: z.string().optional(),
  jobId: z.string().optional(),
  times: z.number().int().min(1).optional(),
  /** Chance from 0 to 1 that a request is affected; `seed` makes the draws repeatable. */
  probability: z.number().min(0).max(1).optional(),
  seed: z.number().int().optional(),
}

/** Time of the fault. With `after`, the request takes effect: a dropped creation creates a job. */
const when = z.enum(["before", "after"]).default("before")

export const faultSchema = z.discriminatedUnion("type", [
  z.strictObject({
    ...scope,
    type: z.literal("status"),
    status: z.number().int().min(200).max(599),
    body: z.enum(["error", "html", "empty", "malformed", "echo_authorization"]).default("error"),
    error: z.string().optional(),
    when,
  }),
  z.strictObject({ ...scope, type: z.literal("expired_key") }),
  z.strictObject({ ...scope, type: z.literal("forbidden") }),
  z.strictObject({
    ...scope,
    type: z.literal("rate_limited"),
    /** Value of `Retry-After` in seconds. */
    retryAfter: z.number().int().min(0).optional(),
  }),
  /** Delays the response; other faults can affect the same request. */
  z.strictObject({ ...scope, type: z.literal("delay"), ms: z.number().int().min(0), when }),
  z.strictObject({ ...scope, type: z.literal("hang"), when }),
  /** Resets the connection without a response. */
  z.strictObject({ ...scope, type: z.literal("reset"), when }),
  /** Sends half of the announced bytes, then closes the connection. */
  z.strictObject({ ...scope, type: z.literal("truncated") }),
  z.strictObject({ ...scope, type: z.literal("body"), text: z.string() }),
  /** Returns valid JSON with another value at `path`, such as `status` or `visitors.0.total`. */
  z.strictObject({ ...scope, type: z.literal("field"), path: z.string().min(1), value: z.json() }),
  /** Makes the export endless: rows start over and `hasMore` stays true. */
  z.strictObject({ ...scope, type: z.literal("endless_export") }),
  /** Returns no rows but sets `hasMore`. */
  z.strictObject({ ...scope, type: z.literal("empty_page") }),
])

export type Fault = z.input<typeof faultSchema>
export type ParsedFault = z.output<typeof faultSchema>

export type DocsFaults = FaultBoard<ParsedFault, FaultTarget>

export function isDelay(fault: ParsedFault | undefined) {
  return fault?.type === "delay"
}

const EXPORT_FAULTS: readonly ParsedFault["type"][] = ["endless_export", "empty_page"]

export interface FaultTarget {
  readonly kind: Operation | "other"
  readonly projectId: string | undefined
  readonly jobId: string | undefined
}

/** Returns whether the fault applies to this request, before `probability` and `times`. */
export function isMeantFor(fault: ParsedFault, target: FaultTarget): boolean {
  if (target.kind === "other") return false
  if (EXPORT_FAULTS.includes(fault.type) && target.kind !== "visitors") return false
  const kinds = fault.kind === undefined ? undefined : [fault.kind].flat()
  return (
    (kinds === undefined || kinds.includes(target.kind)) &&
    (fault.projectId === undefined || fault.projectId === target.projectId) &&
    (fault.jobId === undefined || fault.jobId === target.jobId)
  )
}
