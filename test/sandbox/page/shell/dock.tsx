import { ThreadPane } from "../chat/thread-pane.tsx"
import { usePage } from "../model/context.ts"
import { ServicePanel } from "../service/service-panel.tsx"
import { Icon } from "./icon.tsx"

export function Dock() {
  const { model, view, dispatch } = usePage()
  const { dock, thread, place } = view
  const channel = place.kind === "channel" ? model.channels.get(place.id) : undefined
  if (dock === undefined) return null
  const isThread = dock === "thread" && thread !== undefined && channel !== undefined
  const title = isThread ? "Thread" : "Documentation service"
  return (
    <section class="dock" aria-label={title}>
      <header class="dock-header">
        <h2 class={thread && channel ? "hidden" : ""}>{title}</h2>
        {thread && channel ? (
          <fieldset class="tabs" aria-label="Panel">
            <button
              type="button"
              aria-pressed={isThread}
              onClick={() => dispatch({ do: "open_thread", ts: thread })}
            >
              Thread
            </button>
            <button
              type="button"
              aria-pressed={!isThread}
              onClick={() => dispatch({ do: "dock", dock: "service" })}
            >
              Service
            </button>
          </fieldset>
        ) : null}
        <button
          type="button"
          class="icon-button"
          aria-label="Close panel"
          onClick={() => dispatch({ do: "dock", dock: undefined })}
        >
          <Icon name="close" />
        </button>
      </header>
      {isThread ? (
        <ThreadPane key={`${view.me} ${thread}`} channel={channel} root={thread} />
      ) : (
        <ServicePanel />
      )}
    </section>
  )
}
