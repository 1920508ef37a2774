import { failure, type Reply, retryAfterHeader } from "../kit/reply.ts"
import type { ParsedFault } from "./faults.ts"

/** Delivery of a response: complete, cut off halfway, as a connection reset, or never. */
export type Delivery =
  | { readonly how: "send" | "truncate"; readonly reply: Reply }
  | { readonly how: "reset" }
  | { readonly how: "hang" }

export interface Circumstances {
  readonly now: number
  readonly authorization: string
}

/** Returns the fault's outcome before the request takes effect, or undefined to let it proceed. */
export function beforeEffect(fault: ParsedFault, at: Circumstances): Delivery | undefined {
  switch (fault.type) {
    case "expired_key":
      return { how: "send", reply: failure(401, "The API key has expired") }
    case "forbidden":
      return { how: "send", reply: failure(403, "The API key lacks the scope for this operation") }
    case "rate_limited":
      return { how: "send", reply: failure(429, "Too many requests", undefined, wait(fault, at)) }
    case "status":
      return fault.when === "before" ? { how: "send", reply: statusReply(fault, at) } : undefined
    case "hang":
    case "reset":
      return fault.when === "before" ? { how: fault.type } : undefined
    default:
      return undefined
  }
}

/** Returns the fault's outcome after the request took effect. */
export function afterEffect(fault: ParsedFault, reply: Reply, at: Circumstances): Delivery {
  switch (fault.type) {
    case "hang":
    case "reset":
      return { how: fault.type }
    case "status":
      return { how: "send", reply: statusReply(fault, at) }
    case "truncated":
      return { how: "truncate", reply }
    case "body":
      return { how: "send", reply: { ...reply, body: fault.text } }
    case "field":
      return { how: "send", reply: edited(reply, fault.path, { value: fault.value }) }
    case "missing_field":
      return { how: "send", reply: edited(reply, fault.path, undefined) }
    default:
      return { how: "send", reply }
  }
}

type StatusFault = Extract<ParsedFault, { type: "status" }>
type Waiting = Pick<StatusFault, "retryAfter">

function wait({ retryAfter }: Waiting, at: Circumstances): Record<string, string> {
  return retryAfter ? retryAfterHeader(retryAfter.seconds, retryAfter.as, at.now) : {}
}

function statusReply(fault: StatusFault, at: Circumstances): Reply {
  const { status, error = `Planned fault ${status}`, details } = fault
  const extra = { ...wait(fault, at), ...fault.headers }
  const plain = failure(status, error, details, extra)
  switch (fault.body) {
    case "error":
      return plain
    case "html":
      return {
        status,
        headers: { "content-type": "text/html", ...extra },
        body: `<html><body><h1>${status}</h1></body></html>`,
      }
    case "empty":
      return { status, headers: extra, body: "" }
    case "malformed":
      return { ...plain, body: plain.body.slice(0, -1) }
    case "echo_authorization":
      return failure(status, `Rejected credentials: ${at.authorization}`, details, extra)
  }
}

/** Copies the JSON reply with the field at `path` set, or removed if `change` is undefined. */
function edited(reply: Reply, path: string, change: { value: unknown } | undefined): Reply {
  if (reply.value === undefined) return reply
  const value = edit(structuredClone(reply.value), path.split("."), change)
  return { ...reply, value, body: JSON.stringify(value) }
}

function edit(node: unknown, path: string[], change: { value: unknown } | undefined): unknown {
  const [name, ...rest] = path
  if (name === undefined) return change?.value
  if (Array.isArray(node)) {
    return node.flatMap((item, index) =>
      String(index) !== name
        ? [item]
        : !change && rest.length === 0
          ? []
          : [edit(item, rest, change)],
    )
  }
  if (node !== undefined && (typeof node !== "object" || node === null)) return node
  const entries = Object.entries(node ?? {}).filter(([key]) => key !== name)
  if (!change && rest.length === 0) return Object.fromEntries(entries)
  const old: unknown = node && Reflect.get(node, name)
  return { ...Object.fromEntries(entries), [name]: edit(old, rest, change) }
}
