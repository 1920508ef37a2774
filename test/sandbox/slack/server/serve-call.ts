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
  if (mishap?.kind === "slow") await delay(mishap.ms, undefined, { ref: false })
  if (mishap?.kind === "held") await mishap.until
  // These two only delay the correct answer.
  const isRight = mishap === undefined || mishap.kind === "slow" || mishap.kind === "held"
  const takesEffect = isRight || ("when" in mishap && mishap.when === "after")
  const right = takesEffect ? call.effect() : undefined
  recordCall(core, call, right ? errorIn(right) : `fault: ${mishap?.kind}`)
  const answer = isRight ? right : wrongAnswer(mishap)
  if (answer) sendAnswer(response, answer)
  else if (mishap?.kind === "reset") response.socket?.resetAndDestroy()
  // After any other fault, it is left open until the caller times out or the local Slack closes.
}

export function sendAnswer(response: ServerResponse, { status, headers, body }: Answer): void {
  const isPage = typeof body === "string"
  const type = isPage ? "text/html" : JSON_TYPE
  response.writeHead(status, { "content-type": type, ...headers })
  response.end(isPage ? body : JSON.stringify(body))
}

const JSON_TYPE = "application/json; charset=utf-8"

/** Returns the answer of a fault; undefined if it gives none. */
function wrongAnswer(mishap: Mishap): Answer | undefined {
  switch (mishap.kind) {
    case "rate_limited": {
      const { retryAfter } = mishap
      const headers: Record<string, string> =
        retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }
      return { status: 429, headers, body: { ok: false, error: "ratelimited" } }
    }
    case "error":
      return { status: 200, headers: {}, body: { ok: false, error: mishap.error } }
    case "status": {
      const headers = { "content-type": "text/plain" }
      return { status: mishap.status, headers, body: mishap.body ?? "" }
    }
    case "html":
      return { status: 200, headers: {}, body: "<!DOCTYPE html><title>Server Error</title>" }
    case "malformed":
      return { status: 200, headers: { "content-type": JSON_TYPE }, body: '{"ok":tr' }
    default:
      return undefined
  }
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
