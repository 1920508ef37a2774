import type { Aim } from "../../kit/fault-board.ts"
import type { JsonObject } from "../../kit/json.ts"

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

export interface FaultTarget {
  readonly name: string
  readonly args: JsonObject
}

export function isMeantFor({ method, matching }: Fault, { name, args }: FaultTarget): boolean {
  if (method !== undefined && ![method].flat().includes(name)) return false
  return matching?.(args) !== false
}
