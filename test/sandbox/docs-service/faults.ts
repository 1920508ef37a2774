import type { Aim } from "../kit/fault-board.ts"
import { errorPage, failure, type Reply, retryAfter, withField } from "../kit/reply.ts"
import type { Operation, Target } from "./operations.ts"

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

interface StatusFault extends Timed {
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
    /** Delays or holds the response; other faults can affect the same request. */
    | ({ readonly type: "delay"; readonly ms: number } & Timed)
    | ({ readonly type: "held"; readonly until: Promise<void> } & Timed)
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
  return fault?.type === "delay" || fault?.type === "held"
}

const EXPORT_FAULTS: readonly Fault["type"][] = ["endless_export", "empty_page"]

/** Returns whether the fault applies to this request, before `probability` and `times`. */
export function isMeantFor(fault: Fault, target: Target): boolean {
  if (target.kind === "other") return false
  if (EXPORT_FAULTS.includes(fault.type) && target.kind !== "visitors") return false
  return (
    (fault.kind === undefined || [fault.kind].flat().includes(target.kind)) &&
    (fault.projectId === undefined || fault.projectId === target.projectId) &&
    (fault.jobId === undefined || fault.jobId === target.jobId)
  )
}

const REFUSALS: readonly Fault["type"][] = ["expired_key", "forbidden", "rate_limited"]

/** Returns whether the request takes no effect. */
export function preventsEffect(fault: Fault): boolean {
  const isTimed = fault.type === "status" || fault.type === "hang" || fault.type === "reset"
  return isTimed ? fault.when !== "after" : REFUSALS.includes(fault.type)
}

/** Returns the fault's reply in place of the right one, which is absent without an effect. */
export function faultyReply(
  fault: Fault,
  right: Reply | undefined,
  authorization: string,
): Reply | undefined {
  switch (fault.type) {
    case "expired_key":
      return failure(401, "The API key has expired")
    case "forbidden":
      return failure(403, "The API key lacks the scope for this operation")
    case "rate_limited":
      return failure(429, "Too many requests", undefined, retryAfter(fault.retryAfter))
    case "status":
      return statusReply(fault, authorization)
    case "hang":
    case "reset":
      return undefined
    case "body":
      return right && { ...right, body: fault.text }
    case "field":
      return right && withField(right, fault.name, fault.value)
    default:
      return right
  }
}

function statusReply(
  { status, error = `Planned fault ${status}`, body }: StatusFault,
  authorization: string,
): Reply {
  const plain = failure(status, error)
  switch (body) {
    case "html":
      return errorPage(status)
    case "empty":
      return { status, headers: {}, body: "" }
    case "malformed":
      return { ...plain, body: plain.body.slice(0, -1) }
    case "echo_authorization":
      return failure(status, `Rejected credentials: ${authorization}`)
    default:
      return plain
  }
}
