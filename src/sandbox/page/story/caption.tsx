import { useEffect, useState } from "preact/hooks"
import { usePage } from "../model/context.ts"

/** How long the last word stays, ms. */
const STAYS_MS = 12_000

/** What the story is showing. */
export function Caption() {
  const { story } = usePage().model
  const [over, setOver] = useState(false)
  const done = story?.done === true
  useEffect(() => {
    if (!done) return
    const timer = setTimeout(() => setOver(true), STAYS_MS)
    return () => clearTimeout(timer)
  }, [done])
  if (story === undefined || over) return null
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
