import { ChannelView } from "../chat/channel-view.tsx"
import { ThreadPane } from "../chat/thread-pane.tsx"
import { AppView } from "../home/app-view.tsx"
import { usePage } from "../model/model.ts"
import { Sidebar } from "../sidebar/sidebar.tsx"
import { Icon } from "./icon.tsx"
import { TopBar } from "./top-bar.tsx"

export function Frame({ connected }: { connected: boolean }) {
  const { view } = usePage()
  return (
    <div class={view.thread ? "frame frame-dock" : "frame"}>
      <TopBar />
      {connected ? null : (
        <p class="away" role="status">
          The sandbox isn't responding. Retrying…
        </p>
      )}
      <Sidebar />
      <main class="parts">
        <section id="conversation" class="main" aria-label="Conversation" tabIndex={-1}>
          <Place />
        </section>
        <Dock />
      </main>
    </div>
  )
}

function Place() {
  const { model, view } = usePage()
  if (view.place.kind === "home") return <AppView />
  const channel = model.channels.get(view.place.id)
  if (channel === undefined) return <p class="no-entry">Channel not found.</p>
  if (channel.kind === "im") return <AppView />
  return <ChannelView key={`${view.me} ${channel.id}`} channel={channel} />
}

/** Shows the open thread beside its channel. */
function Dock() {
  const { model, view, show } = usePage()
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
          onClick={() => show({ thread: undefined })}
        >
          <Icon name="close" />
        </button>
      </header>
      <ThreadPane key={`${view.me} ${thread}`} channel={channel} root={thread} />
    </section>
  )
}
