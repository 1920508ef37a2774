import { useEffect, useState } from "preact/hooks"
import type { StoryState } from "../../workspace/wire.ts"
import { Icon } from "../shell/icon.tsx"
import { useTour } from "./use-tour.ts"

/** How long the last word stays, ms. */
const STAYS_MS = 12_000

/** What the story is showing, and the way out of it. */
export function Caption({ story }: { story: StoryState }) {
  const { endTour } = useTour()
  const [over, setOver] = useState(false)
  const { done } = story
  useEffect(() => {
    setOver(false)
    if (!done) return
    const timer = setTimeout(() => setOver(true), STAYS_MS)
    return () => clearTimeout(timer)
  }, [done])
  if (over) return null
  return (
    <div class="caption">
      <span class="caption-dots" aria-hidden="true">
        {Array.from({ length: story.steps }, (_, step) => (
          <i key={step} class={step < story.step ? "told" : ""} />
        ))}
      </span>
      <p role="status">{story.caption}</p>
      <button
        type="button"
        class="icon-button"
        aria-label={done ? "Close the caption" : "End the tour"}
        onClick={done ? () => setOver(true) : endTour}
      >
        <Icon name="close" />
      </button>
    </div>
  )
}
