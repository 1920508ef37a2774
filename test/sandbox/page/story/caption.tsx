import { useEffect, useState } from "preact/hooks"
import type { StoryState } from "../../workspace/wire.ts"

/** How long the last word stays, ms. */
const STAYS_MS = 12_000

/** What the story is showing. */
export function Caption({ story }: { story: StoryState }) {
  const [over, setOver] = useState(false)
  const done = story.done
  useEffect(() => {
    if (!done) return
    const timer = setTimeout(() => setOver(true), STAYS_MS)
    return () => clearTimeout(timer)
  }, [done])
  if (over) return null
  return (
    <div class="caption" role="status">
      <span class="caption-dots" aria-hidden="true">
        {Array.from({ length: story.steps }, (_, step) => (
          <i key={step} class={step < story.step ? "told" : ""} />
        ))}
      </span>
      <p>{story.caption}</p>
    </div>
  )
}
