import type { Reply } from "../kit/reply.ts"
import type { Fault } from "./faults.ts"
import type { Target } from "./operations.ts"
import type { Project } from "./project.ts"
import type { State } from "./state.ts"

export interface IncomingRequest {
  readonly target: Target
  readonly authorization: string
  readonly contentType: string
  readonly body: string
  readonly fault: Fault | undefined
}

/** Applies an operation's effect on a project that the request's key opens, and answers it. */
export type Handler = (state: State, project: Project, request: IncomingRequest) => Reply
