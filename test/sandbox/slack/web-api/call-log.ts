import type { JsonObject } from "../../kit/json.ts"

/** One call to the Web API, a response URL (`response_url`) or an upload URL (`upload`). */
export interface WebApiCall {
  /** Time in ms, by the local Slack's clock. */
  readonly at: number
  readonly method: string
  readonly args: JsonObject
  readonly ok: boolean
  /** Slack's error code, or the name of the injected fault. */
  readonly error: string | undefined
}

export interface CallLog {
  readonly calls: readonly WebApiCall[]
  add(call: WebApiCall): void
}

/** Creates a log of the last `limit` calls, so that long runs don't grow without end. */
export function createCallLog(limit: number): CallLog {
  const calls: WebApiCall[] = []
  return {
    calls,
    add(call) {
      calls.push(call)
      if (calls.length > limit) calls.splice(0, calls.length - limit)
    },
  }
}
