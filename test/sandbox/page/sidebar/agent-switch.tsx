import type { RequestBody } from "../../workspace/requests.ts"
import { act, wordsOf } from "../model/api.ts"
import { usePage } from "../model/context.ts"
import { Menu, MenuItem } from "../shell/menu.tsx"

type Surface = RequestBody<"agent">["surface"]

const SURFACES: readonly [surface: Surface, words: string, now: string][] = [
  ["declared", "An agent", "The app is an agent"],
  ["undeclared", "An ordinary app", "The app is an ordinary app"],
  ["disabled", "A plan without agents", "The plan has no agents"],
]

export function AgentSwitch() {
  const { model, notify } = usePage()
  const [, , now = ""] = SURFACES.find(([surface]) => surface === model.agent.surface) ?? []
  const choose = (surface: Surface) => {
    act("agent", { surface }).catch((error: unknown) => notify(wordsOf(error)))
  }
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
