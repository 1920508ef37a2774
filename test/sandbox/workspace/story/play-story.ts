import { setTimeout as delay } from "node:timers/promises"
import type { StoryState } from "../wire.ts"
import type { WorkspaceApi } from "../workspace-api.ts"
import { type Stage, script } from "./script.ts"

export interface StoryOptions {
  /** How long each step is left to be looked at, ms. */
  readonly restMs: number
  /** Ends the story between two steps. */
  readonly signal: AbortSignal
}

/**
 * Plays the story in a workspace, with people who do what people can do and a bot that knows nothing
 * of it. Resolves at its end, or when it is ended early.
 */
export async function playStory(api: WorkspaceApi, options: StoryOptions): Promise<void> {
  const { restMs, signal } = options
  const stage: Stage = { slack: api.parts.slack, docs: api.parts.docs, thread: "" }
  for (const [index, step] of script.entries()) {
    const tell = (facts: Pick<StoryState, "done">) => {
      const { caption } = step
      const scene = step.scene(stage)
      api.tell({ step: index + 1, steps: script.length, caption, scene, ...facts })
    }
    tell({ done: false })
    await step.play(stage)
    // Once more: what was acted out may have made the place to look at.
    tell({ done: index === script.length - 1 })
    await delay(restMs, undefined, { signal, ref: false }).catch(() => {})
    if (signal.aborted) return
  }
}
