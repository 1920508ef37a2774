import { useState } from "preact/hooks"
import type { RequestBody } from "../../workspace/requests.ts"
import { act, wordsOf } from "../model/api.ts"
import { usePage } from "../model/context.ts"
import { Icon } from "../shell/icon.tsx"
import { Menu, MenuItem } from "../shell/menu.tsx"
import { useTour } from "../story/use-tour.ts"
import { AgentSwitch } from "./agent-switch.tsx"

const HOUR = 60
const STEPS: readonly [words: string, step: RequestBody<"time">][] = [
  ["15 minutes", { minutes: 15 }],
  ["1 hour", { minutes: HOUR }],
  ["1 day", { minutes: 24 * HOUR }],
  ["To the next digest", { to: "next_digest" }],
  ["To the next look for alerts", { to: "next_look" }],
]

/** What Slack has not: the tour, the time, and where the rest is told. */
export function SandboxTools() {
  const { model, notify } = usePage()
  const { playTour } = useTour()
  const [busy, setBusy] = useState(false)
  const moveOn = (step: RequestBody<"time">) => {
    setBusy(true)
    act("time", step)
      .catch((error: unknown) => notify(wordsOf(error)))
      .finally(() => setBusy(false))
  }
  return (
    <>
      <h2>Sandbox</h2>
      <ul>
        <li>
          <button type="button" class="place" onClick={playTour}>
            <Icon name="play" />
            <span class="place-name">Take the tour</span>
          </button>
        </li>
        <li aria-busy={busy}>
          <Menu label="Skip ahead" class="place" icon="clock" words="Skip ahead">
            {STEPS.map(([words, step]) => (
              <MenuItem key={words} onPick={() => moveOn(step)}>
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
          ? "Skipping ahead; the bot restarts…"
          : model.aheadMs > 0
            ? `${spanOf(model.aheadMs)} ahead of your clock`
            : null}
      </p>
      <p class="sidebar-note">
        More in a terminal: <code>npm run sandbox -- --help</code>
      </p>
    </>
  )
}

const UNITS = [
  [1440, "d"],
  [60, "h"],
  [1, "min"],
] as const

/** "1 d 2 h 15 min". */
function spanOf(ms: number): string {
  let left = Math.round(ms / 60_000)
  const parts = UNITS.flatMap(([minutes, unit]) => {
    const count = Math.floor(left / minutes)
    left -= count * minutes
    return count > 0 ? [`${count} ${unit}`] : []
  })
  return parts.join(" ")
}
