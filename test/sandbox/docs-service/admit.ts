import type { Reply } from "../kit/reply.ts"
import { overLimit } from "./over-limit.ts"
import type { Project } from "./project.ts"
import type { State } from "./state.ts"
import type { LimitedKind } from "./windows.ts"

/** Takes a place in the window, or gives the 429 of a full one, which costs nothing. */
export function admit(state: State, kind: LimitedKind, project: Project): Reply | undefined {
  const { settings, windows } = state
  const now = state.now()
  const window = windows.state(kind, project, settings, now)
  if (window.remaining === 0) return overLimit(window, settings.retryAfter, now)
  windows.add(kind, project, settings, now)
  return undefined
}
