import type { LocalJob } from "./agent-job.ts"
import type { Operation } from "./operations.ts"

export interface SeenRequest {
  /** Time of arrival in epoch ms, by the service's clock. */
  readonly at: number
  readonly method: string
  /** Path as sent, still percent-encoded, without the query. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** Status sent; `dropped` if there was none or the client had already disconnected. */
  readonly status: number | "dropped"
  readonly kind: Operation | "other"
  readonly ms: number
}

export type DocsEvent =
  | { readonly type: "request"; readonly request: SeenRequest }
  | { readonly type: "job"; readonly job: LocalJob }
