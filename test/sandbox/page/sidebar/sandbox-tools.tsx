import { useState } from "preact/hooks"
import { act, wordsOf } from "../model/api.ts"
import { usePage } from "../model/context.ts"
import { Menu, MenuItem } from "../shell/menu.tsx"
import { AgentSwitch } from "./agent-switch.tsx"

const STEPS: readonly [words: string, minutes: number][] = [
  ["15 minutes", 15],
  ["1 hour", 60],
  ["1 day", 1440],
]

/** Renders controls that Slack lacks: skipping ahead, and switching its agent features. */
export function SandboxTools() {
  const { model, notify } = usePage()
  const [busy, setBusy] = useState(false)
  const moveOn = (minutes: number) => {
    setBusy(true)
    act("time", { minutes })
      .catch((error: unknown) => notify(wordsOf(error)))
      .finally(() => setBusy(false))
  }
  return (
    <>
      <h2>Sandbox</h2>
      <ul>
        <li aria-busy={busy}>
          <Menu label="Skip ahead" class="place" icon="clock" words="Skip ahead">
            {STEPS.map(([words, minutes]) => (
              <MenuItem key={words} onPick={() => moveOn(minutes)}>
                {words}
              </MenuItem>
            ))}
          </Menu>
        </li>
        <li>
          <AgentSwitch />
        </li>
      </ul>
      <p class="sidebar-note" role="status">
        {busy
          ? "Skipping ahead. The bot is restarting…"
          : model.aheadMs > 0
            ? `${Math.round(model.aheadMs / 60_000)} min ahead of your clock`
            : null}
      </p>
      <p class="sidebar-note">
        More options in a terminal: <code>npm run sandbox -- --help</code>
      </p>
    </>
  )
}
