import { ThreadPane } from "../chat/thread-pane.tsx"
import { usePage } from "../model/context.ts"
import { Icon } from "./icon.tsx"

/** Shows the open thread beside its channel. */
export function Dock() {
  const { model, view, dispatch } = usePage()
  const { thread, place } = view
  const channel = place.kind === "channel" ? model.channels.get(place.id) : undefined
  if (thread === undefined || channel === undefined) return null
  return (
    <section class="dock" aria-label="Thread">
      <header class="dock-header">
        <h2>Thread</h2>
        <button
          type="button"
          class="icon-button"
          aria-label="Close panel"
          onClick={() => dispatch({ do: "close_thread" })}
        >
          <Icon name="close" />
        </button>
      </header>
      <ThreadPane key={`${view.me} ${thread}`} channel={channel} root={thread} />
    </section>
  )
}
