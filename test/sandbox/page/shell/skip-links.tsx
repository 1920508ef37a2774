import { usePage } from "../model/context.ts"
import { mayWrite } from "../model/selectors.ts"

/** For whoever reads with the keyboard: past what stands before the conversation. */
export function SkipLinks() {
  const { model, view } = usePage()
  const channel = view.place.kind === "channel" ? model.channels.get(view.place.id) : undefined
  return (
    <p class="skip">
      <SkipLink to="conversation" words="Skip to the conversation" />
      {channel && mayWrite(channel, view.me) ? (
        <SkipLink to="message-box" words="Skip to the message box" />
      ) : null}
    </p>
  )
}

function SkipLink({ to, words }: { to: string; words: string }) {
  return (
    <a
      href={`#${to}`}
      onClick={(event) => {
        // The address keeps where one is in the workspace.
        event.preventDefault()
        document.getElementById(to)?.focus()
      }}
    >
      {words}
    </a>
  )
}
