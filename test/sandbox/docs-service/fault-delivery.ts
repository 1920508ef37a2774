import { errorPage, failure, type Reply, withField } from "../kit/reply.ts"
import type { Fault, StatusFault } from "./faults.ts"

/** Returns whether the request takes no effect. */
export function preventsEffect(fault: Fault): boolean {
  switch (fault.type) {
    case "expired_key":
    case "forbidden":
    case "rate_limited":
      return true
    case "status":
    case "hang":
    case "reset":
      return fault.when !== "after"
    default:
      return false
  }
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
      return limited(fault.retryAfter)
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

function limited(seconds: number | undefined): Reply {
  const headers: Record<string, string> =
    seconds === undefined ? {} : { "retry-after": String(seconds) }
  return failure(429, "Too many requests", undefined, headers)
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
