import type { WireMessage } from "../../workspace/to-wire.ts"
import { act } from "../model/api.ts"
import { useBusyAttempt, usePage } from "../model/model.ts"
import { Icon } from "../shell/icon.tsx"
import { Menu, MenuItem } from "../shell/menu.tsx"

/** Renders the bar of actions in the corner of a message. */
export function MessageActions({ message, inThread }: { message: WireMessage; inThread: boolean }) {
  const { model, view, show } = usePage()
  const { busy, attempt } = useBusyAttempt()
  const { channel, ts } = message
  const isPrivate = message.visibleTo !== undefined

  const pick = (callback: string) =>
    void attempt(act("shortcut", { as: view.me, channel, ts, callback }))
  return (
    <div class="message-actions" aria-busy={busy}>
      {inThread || isPrivate ? null : (
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
      <Menu label="More actions">
        {isPrivate
          ? null
          : model.catalog.messageShortcuts.map((shortcut) => (
              <MenuItem key={shortcut.callbackId} onPick={() => pick(shortcut.callbackId)}>
                {shortcut.name}
                <small>Docs Agent</small>
              </MenuItem>
            ))}
      </Menu>
    </div>
  )
}
