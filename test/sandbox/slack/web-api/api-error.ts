import type { JsonObject } from "../../kit/json.ts"

/** Slack's error response: `{ok: false, error: code, ...details}`, by default with status 200. */
export class ApiError extends Error {
  override readonly name = "ApiError"
  readonly code: string
  readonly details: JsonObject
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: string,
    details: JsonObject = {},
    answer: { status?: number; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(code)
    this.code = code
    this.details = details
    this.status = answer.status ?? 200
    this.headers = answer.headers ?? {}
  }
}
