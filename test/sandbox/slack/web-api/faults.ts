import type { JsonObject } from "../../kit/json.ts"
import { seededRandom } from "../../kit/random.ts"

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

export type Fault = Mishap & {
  /** Web API methods, `response_url` or `upload`; all by default. */
  readonly method?: string | readonly string[] | undefined
  readonly times?: number | undefined
  readonly probability?: number | undefined
  /** Seed that makes `probability` repeatable. */
  readonly seed?: number | undefined
  readonly matching?: ((args: JsonObject) => boolean) | undefined
}

export interface FaultHandle {
  readonly hits: number
  cancel(): void
}

export interface Faults {
  add(fault: Fault): FaultHandle
  /** Returns the fault of this call, if any, and counts the hit. */
  strike(method: string, args: JsonObject): Mishap | undefined
}

export function createFaults(): Faults {
  const active = new Set<(method: string, args: JsonObject) => Mishap | undefined>()
  return {
    add(fault) {
      const random = seededRandom(fault.seed ?? 1)
      let hits = 0
      const strike = (method: string, args: JsonObject): Mishap | undefined => {
        if (hits >= (fault.times ?? Infinity) || !covers(fault, method)) return undefined
        if (fault.matching?.(args) === false) return undefined
        if (random() >= (fault.probability ?? 1)) return undefined
        hits += 1
        return fault
      }
      active.add(strike)
      return {
        get hits() {
          return hits
        },
        cancel: () => {
          active.delete(strike)
        },
      }
    },
    strike(method, args) {
      for (const strike of active) {
        const mishap = strike(method, args)
        if (mishap !== undefined) return mishap
      }
      return undefined
    },
  }
}

function covers(fault: Fault, method: string): boolean {
  if (fault.method === undefined) return true
  return typeof fault.method === "string" ? fault.method === method : fault.method.includes(method)
}
