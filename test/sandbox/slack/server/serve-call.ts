import type { ServerResponse } from "node:http"
import { setTimeout as delay } from "node:timers/promises"
import type { Aim } from "../../kit/fault-board.ts"
import { isObject, type JsonObject, stringIn } from "../../kit/json.ts"
import { remember } from "../../kit/listeners.ts"
import { html, json, type Reply, retryAfter, send } from "../../kit/reply.ts"
import type { Core } from "../core.ts"

/** One request from the app to Slack, at any address. */
export interface IncomingCall {
  readonly name: string
  readonly args: JsonObject
  readonly effect: () => Reply
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
  if (answer) send(response, answer)
  else if (mishap?.kind === "reset") response.socket?.resetAndDestroy()
  // After any other fault, it is left open until the caller times out or the local Slack closes.
}

/** Returns the answer of a fault; undefined if it gives none. */
function wrongAnswer(mishap: Mishap): Reply | undefined {
  switch (mishap.kind) {
    case "rate_limited":
      return json(429, { ok: false, error: "ratelimited" }, retryAfter(mishap.retryAfter))
    case "error":
      return json(200, { ok: false, error: mishap.error })
    case "status":
      return {
        status: mishap.status,
        headers: { "content-type": "text/plain" },
        body: mishap.body ?? "",
      }
    case "html":
      return html(200, "<!DOCTYPE html><title>Server Error</title>")
    case "malformed":
      return { ...json(200, {}), body: '{"ok":tr' }
    default:
      return undefined
  }
}

function errorIn({ value }: Reply): string | undefined {
  if (!isObject(value)) return "odd_body"
  return value.ok === true ? undefined : stringIn(value, "error")
}

export function recordCall(
  core: Core,
  { name: method, args }: Pick<IncomingCall, "name" | "args">,
  error: string | undefined,
): void {
  const call = { at: core.workspace.now(), method, args, error }
  remember(core.calls, call, core.keep)
  core.workspace.changes.emit({ type: "called" })
}

/** Fault, `before` the call takes effect or `after` it did, which the caller can't tell apart. */
export type Mishap =
  /** Status 429; without `retryAfter` (seconds), the header is missing. */
  | { readonly kind: "rate_limited"; readonly retryAfter?: number | undefined }
  | { readonly kind: "status"; readonly status: number; readonly body?: string | undefined }
  | { readonly kind: "html" }
  | { readonly kind: "malformed" }
  | { readonly kind: "reset"; readonly when: "before" | "after" }
  | { readonly kind: "timeout"; readonly when: "before" | "after" }
  | { readonly kind: "error"; readonly error: string }
  | { readonly kind: "slow"; readonly ms: number }
  | { readonly kind: "held"; readonly until: Promise<void> }

export type Fault = Mishap &
  Aim & {
    /** Web API methods, `response_url` or `upload`; all by default. */
    readonly method?: string | readonly string[] | undefined
    readonly matching?: ((args: JsonObject) => boolean) | undefined
  }

export function isMeantFor({ method, matching }: Fault, { name, args }: IncomingCall): boolean {
  if (method !== undefined && ![method].flat().includes(name)) return false
  return matching?.(args) !== false
}
