import type { RequestBody } from "../../workspace/requests.ts"
import { act } from "../model/api.ts"
import { useBusyAttempt, usePage } from "../model/model.ts"
import { Menu, MenuItem } from "../shell/menu.tsx"

const STEPS: readonly [words: string, minutes: number][] = [
  ["15 minutes", 15],
  ["1 hour", 60],
  ["1 day", 1440],
]

/** Renders controls that Slack lacks: skipping ahead, and switching its agent features. */
export function SandboxTools() {
  const { model } = usePage()
  const { busy, attempt } = useBusyAttempt()
  return (
    <>
      <h2>Sandbox</h2>
      <ul>
        <li aria-busy={busy}>
          <Menu label="Skip ahead" class="place" icon="clock" words="Skip ahead">
            {STEPS.map(([words, minutes]) => (
              <MenuItem key={words} onPick={() => void attempt(act("time", { minutes }))}>
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

type Surface = RequestBody<"agent">["surface"]

const SURFACES: readonly [surface: Surface, words: string, now: string][] = [
  ["declared", "An agent", "The app is an agent"],
  ["undeclared", "An ordinary app", "The app is an ordinary app"],
  ["disabled", "A plan without agents", "The plan has no agents"],
]

function AgentSwitch() {
  const { model, attempt } = usePage()
  const [, , now = ""] = SURFACES.find(([surface]) => surface === model.agent.surface) ?? []
  const choose = (surface: Surface) => void attempt(act("agent", { surface }))
  return (
    <Menu label={now} class="place" icon="chat" words={now}>
      {SURFACES.map(([surface, words]) => (
        <MenuItem key={surface} onPick={() => choose(surface)}>
          {words}
        </MenuItem>
      ))}
    </Menu>
  )
}
