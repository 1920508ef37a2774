import { useEffect } from "preact/hooks"
import type { StoryState } from "../../workspace/wire.ts"
import type { ViewAction } from "../model/view-state.ts"

/** Looks where the story happens, once for each step; between steps one may look around. */
export function useStory(
  story: StoryState | undefined,
  dispatch: (action: ViewAction) => void,
): void {
  const scene = story?.scene
  const key = scene && !story.done ? `${story.step} ${scene.thread ?? ""}` : undefined
  useEffect(() => {
    if (key === undefined || scene === undefined) return
    const { as: user, channel, thread, service = false } = scene
    dispatch({ do: "scene", user, channel, thread, service })
  }, [key])
}
