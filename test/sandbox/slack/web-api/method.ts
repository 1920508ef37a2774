import type { JsonObject } from "../../kit/json.ts"
import type { Core } from "../core.ts"
import type { RateRule } from "./rate-limits.ts"

export interface Method {
  readonly token: "bot" | "app" | "none"
  /** Any one of these scopes will do; none needed if empty. */
  readonly scopes: readonly string[]
  readonly limit: RateRule
  /**
   * Carries out the call and returns the members of the answer beside `ok`.
   * @throws ApiError for every refusal.
   */
  run(core: Core, args: JsonObject): JsonObject
}
