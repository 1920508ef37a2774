import { act } from "../model/api.ts"
import { useBusyAttempt, usePage } from "../model/model.ts"
import { isAgentFor } from "../model/selectors.ts"
import { Icon } from "../shell/icon.tsx"

interface SessionProps {
  readonly channel: string
  readonly ts: string
}

/** Renders the line below a session whose request is running or queued, with a Stop button. */
export function SessionLine({ channel, ts }: SessionProps) {
  const { model, view } = usePage()
  const { busy, attempt } = useBusyAttempt()
  const session = model.sessions[`${channel}:${ts}`]
  if (session?.status !== "processing") return null
  const stop = () => void attempt(act("stop", { as: view.me, channel, ts }))
  return (
    <p class="status-line session-line">
      <span>Session in progress</span>
      {isAgentFor(model, view.me) ? (
        <button type="button" class="chip" disabled={busy} onClick={stop}>
          <Icon name="stop" /> Stop
        </button>
      ) : null}
    </p>
  )
}

/** Renders the title and state: "When viewing the thread, the title shows in the header". */
export function SessionTitle({ channel, ts }: SessionProps) {
  const session = usePage().model.sessions[`${channel}:${ts}`]
  if (session === undefined) return null
  return (
    <header class="session-title">
      <h3>{session.title ?? "Untitled session"}</h3>
      <span class="app-mark">{WORDS[session.status]}</span>
    </header>
  )
}

const WORDS = { processing: "In progress", active: "Ready" } as const
