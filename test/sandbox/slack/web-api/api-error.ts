import type { JsonObject } from "../../kit/json.ts"

/** A refusal as Slack words it: `{ok: false, error: code, ...details}`, status 200 unless given. */
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
