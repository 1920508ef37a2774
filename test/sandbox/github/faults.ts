import type { Aim } from "../kit/fault-board.ts"

interface StatusFault {
  readonly type: "status"
  readonly status: number
  readonly message?: string
  readonly body?: "html" | "empty"
}

export type Fault = Aim &
  (
    | StatusFault
    /**
     * Sends "An error message that indicates that you exceeded a secondary rate limit", with the
     * delay in seconds "If the `retry-after` response header is present".
     */
    | {
        readonly type: "secondary_limit"
        readonly status?: 403 | 429 | undefined
        readonly retryAfter?: number | undefined
      }
    /** "Any request may result in a redirection." */
    | { readonly type: "redirect"; readonly location: string }
    | { readonly type: "body"; readonly text: string }
    /** Returns valid JSON with another value of a top-level field. */
    | { readonly type: "field"; readonly name: string; readonly value: unknown }
    | { readonly type: "reset" }
  )
