import { createHash } from "node:crypto"
import type { IncomingMessage } from "node:http"
import { errorPage, type Reply, retryAfter, withField } from "../../kit/reply.ts"
import { API_PATH, type Fault, type State } from "../state.ts"
import { admit, apiError, overLimit, rateHeaders } from "./admission.ts"
import { answerApi } from "./routes.ts"

export type ApiRequest = Pick<IncomingMessage, "method" | "headers">

/** Returns the response to a request and counts it; applies all faults except connection faults. */
export function answerRequest(
  state: State,
  request: ApiRequest,
  url: URL,
  fault: Fault | undefined,
): Reply {
  const admitted = admit(state, request.headers)
  if ("refusal" in admitted) return admitted.refusal
  const { limit } = admitted
  const rate = limit.state()
  const segments = segmentsOf(url.pathname.slice(API_PATH.length))
  const isFree = segments[0] === "rate_limit"
  const refusal = isFree ? undefined : overLimit(rate)
  if (refusal) return refusal
  const headers = rateHeaders(rate)
  const early = fault && replyOf(fault)
  if (early) return { ...early, headers: { ...headers, ...early.headers } }
  if (request.method !== "GET") return apiError(404, "Not Found", headers)
  const plain = answerApi({ state, segments, query: url.searchParams, rate })
  const reply = conditional(fault ? damaged(plain, fault) : plain, request.headers["if-none-match"])
  if (!isFree && reply.status !== 304) limit.spend()
  return { ...reply, headers: { ...reply.headers, ...rateHeaders(limit.state()) } }
}

/** Returns the fault's response in place of the correct one. */
function replyOf(fault: Fault): Reply | undefined {
  switch (fault.type) {
    case "secondary_limit": {
      const headers = retryAfter(fault.retryAfter)
      return apiError(fault.status ?? 403, "You have exceeded a secondary rate limit.", headers)
    }
    case "status":
      return statusReply(fault)
    case "redirect":
      return apiError(307, "Redirected", { location: fault.location })
    default:
      return undefined
  }
}

function statusReply({
  status,
  message = `Planned fault ${status}`,
  body,
}: Extract<Fault, { type: "status" }>): Reply {
  if (body === "empty") return { status, headers: {}, body: "" }
  return body === "html" ? errorPage(status) : apiError(status, message)
}

/**
 * Adds the `etag` of a response, and replaces one that the caller already has: "Making a conditional
 * request does not count against your primary rate limit if a 304 response is returned and the
 * request was made while correctly authorized with an Authorization header."
 */
function conditional(reply: Reply, known: string | undefined): Reply {
  if (reply.status !== 200) return reply
  const hash = createHash("sha256").update(reply.body).digest("hex")
  const headers = { ...reply.headers, etag: `W/"${hash}"` }
  return known === headers.etag ? { status: 304, headers, body: "" } : { ...reply, headers }
}

/** Returns the correct response with the fault in its body. */
function damaged(reply: Reply, fault: Fault): Reply {
  if (fault.type === "body") return { ...reply, body: fault.text }
  return fault.type === "field" ? withField(reply, fault.name, fault.value) : reply
}

/** Keeps empty segments: "Adding a trailing slash to the endpoint will result in a 404". */
function segmentsOf(path: string): string[] {
  return path.split("/").slice(1).map(decodeURIComponent)
}
