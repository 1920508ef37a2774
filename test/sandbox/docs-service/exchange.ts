import type { IncomingMessage, ServerResponse } from "node:http"
import { text } from "node:stream/consumers"
import { setTimeout as sleep } from "node:timers/promises"
import { failure, send } from "../kit/reply.ts"
import type { SeenRequest } from "./events.ts"
import { afterEffect, beforeEffect, type Delivery } from "./fault-delivery.ts"
import { isDelay } from "./faults.ts"
import { parseTarget, type Target } from "./operations.ts"
import { answer } from "./router.ts"
import type { State } from "./state.ts"

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
  const target = readTarget(request)
  const body = await text(request)
  const delivery = await decide(state, request, target, body, closing)
  const gone = response.destroyed || response.socket?.destroyed !== false
  seen({
    at,
    method: request.method ?? "",
    path: target?.path ?? request.url ?? "",
    query: Object.fromEntries(target?.query ?? []),
    status: delivery.how === "send" && !gone ? delivery.reply.status : "dropped",
    kind: target?.kind ?? "other",
    projectId: target?.projectId,
    jobId: target?.jobId,
    ms: performance.now() - started,
  })
  if (!gone) deliver(delivery, request, response)
}

async function decide(
  state: State,
  request: IncomingMessage,
  target: Target | undefined,
  body: string,
  closing: AbortSignal,
): Promise<Delivery> {
  if (!target) return { how: "send", reply: failure(400, "The path has an invalid percent escape") }
  const authorization = request.headers.authorization ?? ""
  const contentType = request.headers["content-type"] ?? ""
  const delay = state.faults.strike(target, isDelay)
  const fault = state.faults.strike(target, (one) => !isDelay(one))
  if (isDelay(delay) && delay.when !== "after") await pause(delay.ms, closing)
  const early = fault && beforeEffect(fault, authorization)
  if (early) return early
  const reply = answer(state, { target, authorization, contentType, body, fault })
  if (isDelay(delay) && delay.when === "after") await pause(delay.ms, closing)
  return fault ? afterEffect(fault, reply, authorization) : { how: "send", reply }
}

function deliver(delivery: Delivery, request: IncomingMessage, response: ServerResponse): void {
  switch (delivery.how) {
    case "hang":
      break
    case "reset":
      request.socket.resetAndDestroy()
      break
    case "send":
      send(request, response, delivery.reply)
      break
    case "truncate": {
      const { status, headers, body } = delivery.reply
      const bytes = Buffer.from(body)
      response.writeHead(status, { ...headers, "content-length": bytes.length })
      response.write(bytes.subarray(0, bytes.length / 2), () => request.socket.destroy())
    }
  }
}

function readTarget(request: IncomingMessage): Target | undefined {
  try {
    return parseTarget(request.method ?? "", request.url ?? "")
  } catch {
    return undefined
  }
}

async function pause(ms: number, closing: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal: closing, ref: false })
}
