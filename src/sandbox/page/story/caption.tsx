import type { StoryState } from "../../workspace/wire.ts"

/** What the story is showing. */
export function Caption({ story }: { story: StoryState | undefined }) {
  if (story === undefined) return null
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
