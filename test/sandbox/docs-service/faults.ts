import type { Aim } from "../kit/fault-board.ts"
import type { Operation } from "./operations.ts"

/** Conditions on the requests that a fault affects; without any, it affects all of them. */
interface Scope extends Aim {
  readonly kind?: Operation | readonly Operation[]
  readonly projectId?: string
  readonly jobId?: string
}

/**
 * Time of the fault, `before` by default. With `after`, the request takes effect: a dropped creation
 * creates a job.
 */
interface Timed {
  readonly when?: "before" | "after"
}

export interface StatusFault extends Timed {
  readonly type: "status"
  readonly status: number
  readonly body?: "error" | "html" | "empty" | "malformed" | "echo_authorization"
  readonly error?: string
}

export type Fault = Scope &
  (
    | StatusFault
    | { readonly type: "expired_key" | "forbidden" }
    /** `retryAfter` is the value of `Retry-After` in seconds. */
    | { readonly type: "rate_limited"; readonly retryAfter?: number | undefined }
    /** Delays the response; other faults can affect the same request. */
    | ({ readonly type: "delay"; readonly ms: number } & Timed)
    /** Gives no response, or resets the connection. */
    | ({ readonly type: "hang" | "reset" } & Timed)
    /** Sends half of the announced bytes, then closes the connection. */
    | { readonly type: "truncated" }
    | { readonly type: "body"; readonly text: string }
    /** Returns valid JSON with another value of a top-level field. */
    | { readonly type: "field"; readonly name: string; readonly value: unknown }
    /** Makes the export endless: rows start over and `hasMore` stays true. */
    | { readonly type: "endless_export" }
    /** Returns no rows but sets `hasMore`. */
    | { readonly type: "empty_page" }
  )

export function isDelay(fault: Fault | undefined) {
  return fault?.type === "delay"
}

const EXPORT_FAULTS: readonly Fault["type"][] = ["endless_export", "empty_page"]

export interface FaultTarget {
  readonly kind: Operation | "other"
  readonly projectId: string | undefined
  readonly jobId: string | undefined
}

/** Returns whether the fault applies to this request, before `probability` and `times`. */
export function isMeantFor(fault: Fault, target: FaultTarget): boolean {
  if (target.kind === "other") return false
  if (EXPORT_FAULTS.includes(fault.type) && target.kind !== "visitors") return false
  return (
    (fault.kind === undefined || [fault.kind].flat().includes(target.kind)) &&
    (fault.projectId === undefined || fault.projectId === target.projectId) &&
    (fault.jobId === undefined || fault.jobId === target.jobId)
  )
}
