import { z } from "zod"
import { isObject, type Json, type JsonObject, parseJson } from "../../kit/json.ts"
import { describeIssue, formatIssue, issuesOf } from "../block-kit/issue.ts"
import type { Core } from "../core.ts"
import type { RateRule } from "./rate-limits.ts"

export interface Method {
  /** Kind of token that it takes; the bot's by default. */
  readonly token?: "app"
  /** Scopes, any one of which is enough; none is needed by default. */
  readonly scopes?: readonly string[]
  readonly limit: RateRule
  /**
   * Runs the call and returns the fields of its response besides `ok`.
   * @throws ApiError if refused.
   */
  run(core: Core, args: JsonObject): JsonObject
}

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

/** Arguments that contain JSON even in a form. */
const structured = new Set(["attachments", "blocks", "files", "message", "metadata", "view"])

/** Returns the arguments of a call from its form or JSON body. */
export function readArguments(contentType: string, body: string): JsonObject {
  const isJson = contentType.startsWith("application/json")
  const args = isJson ? parseObject(body) : Object.fromEntries(new URLSearchParams(body))
  for (const name of structured) {
    const value = args[name]
    if (typeof value === "string") args[name] = parseJson(value) ?? value
  }
  return args
}

/** Parses the arguments. @throws ApiError `invalid_arguments`, with errors in Slack's words. */
export function checkArguments<T extends z.ZodType>(schema: T, args: JsonObject): z.output<T> {
  const parsed = schema.safeParse(args, { error: describeIssue })
  if (parsed.success) return parsed.data
  throw invalidArguments(issuesOf(parsed.error, "").map(formatIssue))
}

export function invalidArguments(messages: readonly string[]): ApiError {
  return new ApiError("invalid_arguments", {
    response_metadata: { messages: messages.map((message) => `[ERROR] ${message}`) },
  })
}

function parseObject(text: string): JsonObject {
  const value = parseJson(text)
  if (!isObject(value)) throw new ApiError("invalid_json")
  return value
}

/** Boolean argument: forms send everything as text. */
export const flag = z
  .union([z.boolean(), z.enum(["true", "false", "1", "0"])])
  .transform((value) => value === true || value === "true" || value === "1")

export const count = z.coerce.number().int().min(1)
export const id = z.string().min(1)
export const json = z.custom<Json>()
