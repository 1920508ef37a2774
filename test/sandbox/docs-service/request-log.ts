import type { Operation } from "./operations.ts"

export interface SeenRequest {
  /** Epoch ms of the service's clock when the request came in. */
  readonly at: number
  readonly method: string
  /** As sent, percent escapes and all, without the query. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** `dropped`: no answer left, or nobody was there to take it. */
  readonly status: number | "dropped"
  readonly kind: Operation | "other"
  readonly projectId: string | undefined
  readonly jobId: string | undefined
  readonly ms: number
  readonly bodyBytes: number
}

export class RequestLog {
  readonly entries: SeenRequest[] = []
  readonly #size: number

  constructor(size: number) {
    this.#size = size
  }

  add(request: SeenRequest): void {
    this.entries.push(request)
    if (this.entries.length > this.#size) this.entries.shift()
  }
}
