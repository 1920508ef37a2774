import { failure, type Reply } from "../kit/reply.ts"
import type { Project } from "./project.ts"
import type { State } from "./state.ts"
import type { LimitedKind, WindowState } from "./windows.ts"

/** Counts the request toward its window; returns the 429 of a full window, which doesn't count. */
export function admit(state: State, kind: LimitedKind, project: Project): Reply | undefined {
  const { settings, windows } = state
  const now = state.now()
  const window = windows.state(kind, project, settings, now)
  if (window.remaining === 0) return overLimit(window, now)
  windows.add(kind, project, now)
  return undefined
}

/** Returns the 429 of a full window. The document doesn't specify its shape. */
function overLimit(window: WindowState, now: number): Reply {
  const seconds = Math.ceil(((window.freeAt ?? now) - now) / 1000)
  const headers = { "retry-after": String(seconds) }
  return failure(429, `Over the limit of ${window.limit} requests`, undefined, headers)
}
