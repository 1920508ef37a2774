import type { WireMessage } from "../../workspace/to-wire.ts"
import { act } from "../model/api.ts"
import { useBusyAttempt, usePage } from "../model/model.ts"
import { Icon } from "../shell/icon.tsx"

/** Renders what people can do with a message, in its corner; a private one allows nothing. */
export function MessageActions({ message, inThread }: { message: WireMessage; inThread: boolean }) {
  const { model, view, show } = usePage()
  const { busy, attempt } = useBusyAttempt()
  const { channel, ts } = message
  if (message.visibleTo !== undefined) return null
  const run = (callback: string) =>
    void attempt(act("shortcut", { as: view.me, channel, ts, callback }))
  return (
    <div class="message-actions" aria-busy={busy}>
      {inThread ? null : (
        <button
          type="button"
          class="icon-button"
          aria-label="Reply in thread"
          title="Reply in thread"
          onClick={() => show({ thread: ts, shown: undefined })}
        >
          <Icon name="thread" />
        </button>
      )}
      {model.catalog.messageShortcuts.map(({ name, callbackId }) => (
        <button
          key={callbackId}
          type="button"
          class="icon-button"
          aria-label={name}
          title={name}
          onClick={() => run(callbackId)}
        >
          <Icon name="more" />
        </button>
      ))}
    </div>
  )
}
