import type { JsonObject } from "../../kit/json.ts"
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
