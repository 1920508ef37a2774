import { failure, type Reply } from "../kit/reply.ts"
import type { Fault, StatusFault } from "./faults.ts"

/** Delivery of a response: complete, cut off halfway, as a connection reset, or never. */
export type Delivery =
  | { readonly how: "send" | "truncate"; readonly reply: Reply }
  | { readonly how: "reset" }
  | { readonly how: "hang" }

/** Returns the fault's outcome before the request takes effect, or undefined to let it proceed. */
export function beforeEffect(fault: Fault, authorization: string): Delivery | undefined {
  switch (fault.type) {
    case "expired_key":
      return { how: "send", reply: failure(401, "The API key has expired") }
    case "forbidden":
      return { how: "send", reply: failure(403, "The API key lacks the scope for this operation") }
    case "rate_limited":
      return { how: "send", reply: limited(fault.retryAfter) }
    case "status":
      return fault.when !== "after"
        ? { how: "send", reply: statusReply(fault, authorization) }
        : undefined
    case "hang":
    case "reset":
      return fault.when !== "after" ? { how: fault.type } : undefined
    default:
      return undefined
  }
}

/** Returns the fault's outcome after the request took effect. */
export function afterEffect(fault: Fault, reply: Reply, authorization: string): Delivery {
  switch (fault.type) {
    case "hang":
    case "reset":
      return { how: fault.type }
    case "status":
      return { how: "send", reply: statusReply(fault, authorization) }
    case "truncated":
      return { how: "truncate", reply }
    case "body":
      return { how: "send", reply: { ...reply, body: fault.text } }
    case "field":
      return { how: "send", reply: edited(reply, fault.path, fault.value) }
    default:
      return { how: "send", reply }
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
      return {
        status,
        headers: { "content-type": "text/html" },
        body: `<html><body><h1>${status}</h1></body></html>`,
      }
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

/** Copies the JSON reply with the field at `path` set. */
function edited(reply: Reply, path: string, value: unknown): Reply {
  if (reply.value === undefined) return reply
  const changed = edit(structuredClone(reply.value), path.split("."), value)
  return { ...reply, value: changed, body: JSON.stringify(changed) }
}

function edit(node: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value
  if (Array.isArray(node))
    return node.map((item, index) => (String(index) === name ? edit(item, rest, value) : item))
  if (node !== undefined && (typeof node !== "object" || node === null)) return node
  const old: unknown = node && Reflect.get(node, name)
  return { ...node, [name]: edit(old, rest, value) }
}
