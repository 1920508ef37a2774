import type { RequestBody } from "../../workspace/requests.ts"
import { act } from "../model/api.ts"
import { useBusyAttempt, usePage } from "../model/model.ts"

const STEPS: readonly [words: string, minutes: number][] = [
  ["15 min", 15],
  ["1 hour", 60],
  ["1 day", 1440],
]

/** Renders controls that Slack lacks: skipping ahead, and switching its agent features. */
export function SandboxTools() {
  const { model } = usePage()
  const { busy, attempt } = useBusyAttempt()
  return (
    <div class="sandbox-tools">
      <h2 id="skip-ahead">Skip ahead</h2>
      <fieldset class="steps" aria-labelledby="skip-ahead" aria-busy={busy} disabled={busy}>
        {STEPS.map(([words, minutes]) => (
          <button
            key={words}
            type="button"
            class="chip"
            onClick={() => void attempt(act("time", { minutes }))}
          >
            {words}
          </button>
        ))}
      </fieldset>
      <p class="sidebar-note" role="status">
        {busy
          ? "The bot is restarting…"
          : model.aheadMs > 0
            ? `${Math.round(model.aheadMs / 60_000)} min ahead of your clock`
            : null}
      </p>
      <AgentSwitch />
      <p class="sidebar-note">
        More options in a terminal: <code>npm run sandbox -- --help</code>
      </p>
    </div>
  )
}

type Surface = RequestBody<"agent">["surface"]

const SURFACES: readonly [surface: Surface, words: string][] = [
  ["declared", "An agent"],
  ["undeclared", "An ordinary app"],
  ["disabled", "On a plan without agents"],
]

function AgentSwitch() {
  const { model, attempt } = usePage()
  const choose = (index: number) => {
    const surface = SURFACES[index]?.[0]
    if (surface) void attempt(act("agent", { surface }))
  }
  return (
    <label>
      The app is
      <select
        class="select"
        value={model.agent.surface}
        onChange={({ currentTarget }) => choose(currentTarget.selectedIndex)}
      >
        {SURFACES.map(([surface, words]) => (
          <option key={surface} value={surface}>
            {words}
          </option>
        ))}
      </select>
    </label>
  )
}
