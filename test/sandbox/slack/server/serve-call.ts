import type { ServerResponse } from "node:http"
import { setTimeout as delay } from "node:timers/promises"
import type { JsonObject } from "../../kit/json.ts"
import { remember } from "../../kit/remember.ts"
import type { Core } from "../core.ts"
import type { Answer } from "../web-api/call.ts"
import type { Mishap } from "../web-api/faults.ts"

/** One request from the app to Slack, at any address. */
export interface IncomingCall {
  readonly name: string
  readonly args: JsonObject
  readonly effect: () => Answer
}

/** Answers a call, unless an injected fault prevents it, and records it in either case. */
export async function serveCall(core: Core, call: IncomingCall, response: ServerResponse) {
  const mishap = core.faults.strike(call)
  if (mishap !== undefined && preventsEffect(mishap)) {
    recordCall(core, call, `fault: ${mishap.kind}`)
    answerWith(mishap, response)
    return
  }
  if (mishap?.kind === "slow") await delay(mishap.ms, undefined, { ref: false })
  if (mishap?.kind === "held") await mishap.until
  const answer = call.effect()
  recordCall(core, call, errorIn(answer))
  if (mishap === undefined || isLate(mishap)) sendAnswer(response, answer)
  else answerWith(mishap, response)
}

export function sendAnswer(response: ServerResponse, answer: Answer): void {
  if (typeof answer.body === "string") {
    response.writeHead(answer.status, { "content-type": "text/html", ...answer.headers })
    response.end(answer.body)
    return
  }
  const json = { "content-type": "application/json; charset=utf-8" }
  response.writeHead(answer.status, { ...json, ...answer.headers })
  response.end(JSON.stringify(answer.body))
}

function preventsEffect(mishap: Mishap): boolean {
  if (isLate(mishap)) return false
  return !("when" in mishap && mishap.when === "after")
}

function answerWith(mishap: Mishap, response: ServerResponse): void {
  switch (mishap.kind) {
    case "reset":
      response.socket?.resetAndDestroy()
      return
    case "timeout":
      // Left open until the caller times out or the local Slack closes.
      return
    case "rate_limited": {
      const { retryAfter } = mishap
      const headers: Record<string, string> =
        retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }
      sendAnswer(response, { status: 429, headers, body: { ok: false, error: "ratelimited" } })
      return
    }
    case "error":
      sendAnswer(response, { status: 200, headers: {}, body: { ok: false, error: mishap.error } })
      return
    case "status":
      sendText(response, mishap.status, "text/plain", mishap.body ?? "")
      return
    case "html":
      sendText(response, 200, "text/html", "<!DOCTYPE html><title>Server Error</title>")
      return
    case "malformed":
      sendText(response, 200, "application/json; charset=utf-8", '{"ok":tr')
      return
    case "slow":
    case "held":
      return
  }
}

function sendText(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { "content-type": type })
  response.end(body)
}

/** Returns whether the fault only delays the correct response. */
function isLate({ kind }: Mishap): boolean {
  return kind === "slow" || kind === "held"
}

function errorIn(answer: Answer): string | undefined {
  if (typeof answer.body === "string") return "odd_body"
  if (answer.body.ok === true) return undefined
  return typeof answer.body.error === "string" ? answer.body.error : "unknown_error"
}

export function recordCall(
  core: Core,
  { name: method, args }: Pick<IncomingCall, "name" | "args">,
  error: string | undefined,
): void {
  const call = { at: core.workspace.now(), method, args, ok: error === undefined, error }
  remember(core.calls, call, core.keep)
  core.workspace.changes.emit({ type: "called" })
}
