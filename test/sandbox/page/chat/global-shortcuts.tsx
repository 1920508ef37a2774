import { act } from "../model/api.ts"
import { useBusyAttempt, usePage } from "../model/model.ts"
import { Icon } from "../shell/icon.tsx"

/** Renders the app's global shortcuts, which Slack offers beside the message box. */
export function GlobalShortcuts() {
  const { model, view } = usePage()
  const { busy, attempt } = useBusyAttempt()
  const run = (callback: string) => void attempt(act("global-shortcut", { as: view.me, callback }))
  return model.catalog.globalShortcuts.map(({ name, callbackId }) => (
    <button
      key={callbackId}
      type="button"
      class="icon-button shortcut"
      aria-label={name}
      aria-busy={busy}
      title={name}
      onClick={() => run(callbackId)}
    >
      <Icon name="shortcut" />
    </button>
  ))
}
