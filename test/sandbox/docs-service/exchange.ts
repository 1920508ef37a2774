import type { IncomingMessage, ServerResponse } from "node:http"
import { text } from "node:stream/consumers"
import { setTimeout as sleep } from "node:timers/promises"
import { raceAbort } from "../../../src/lib/time.ts"
import { type Reply, send } from "../kit/reply.ts"
import { type Fault, faultyReply, isDelay, preventsEffect } from "./faults.ts"
import { answer, parseTarget, type Target } from "./operations.ts"
import type { SeenRequest, State } from "./state.ts"

export interface Exchange {
  readonly state: State
  readonly seen: (request: SeenRequest) => void
  readonly closing: AbortSignal
}

/** Applies the request's faults, sends its response and reports it to `seen`. */
export async function exchange(
  { state, seen, closing }: Exchange,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const at = state.now()
  const started = performance.now()
  const target = parseTarget(request.method ?? "", request.url ?? "")
  const body = await text(request)
  const { reply, fault } = await decide(state, request, target, body, closing)
  const gone = response.destroyed || response.socket?.destroyed !== false
  const isCut = fault?.type === "truncated"
  seen({
    at,
    method: request.method ?? "",
    path: target.path,
    query: Object.fromEntries(target.query),
    status: reply && !isCut && !gone ? reply.status : "dropped",
    kind: target.kind,
    ms: performance.now() - started,
  })
  if (gone) return
  if (reply && isCut) sendHalf(request, response, reply)
  else if (reply) send(response, reply)
  else if (fault?.type === "reset") request.socket.resetAndDestroy()
}

/** Applies the request's effect and faults. Without a reply, the client gets none. */
async function decide(
  state: State,
  request: IncomingMessage,
  target: Target,
  body: string,
  closing: AbortSignal,
): Promise<{ reply: Reply | undefined; fault?: Fault | undefined }> {
  const authorization = request.headers.authorization ?? ""
  const contentType = request.headers["content-type"] ?? ""
  const delay = state.faults.strike(target, isDelay)
  const fault = state.faults.strike(target, (one) => !isDelay(one))
  if (isDelay(delay) && delay.when !== "after") await pause(delay, closing)
  if (fault && preventsEffect(fault))
    return { reply: faultyReply(fault, undefined, authorization), fault }
  const reply = answer(state, { target, authorization, contentType, body, fault })
  if (isDelay(delay) && delay.when === "after") await pause(delay, closing)
  return { reply: fault ? faultyReply(fault, reply, authorization) : reply, fault }
}

function sendHalf(request: IncomingMessage, response: ServerResponse, reply: Reply): void {
  const { status, headers, body } = reply
  const bytes = Buffer.from(body)
  response.writeHead(status, { ...headers, "content-length": bytes.length })
  response.write(bytes.subarray(0, bytes.length / 2), () => request.socket.destroy())
}

async function pause(
  delay: Extract<Fault, { type: "delay" | "held" }>,
  signal: AbortSignal,
): Promise<void> {
  if (delay.type === "held") await raceAbort(delay.until, signal, undefined)
  else await sleep(delay.ms, undefined, { signal, ref: false })
}
