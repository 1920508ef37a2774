import { registerListeners } from "../../src/listeners/register.ts"
import { composeVerbs } from "../../src/web.ts"

/** Services that have every part, and do nothing. */
const anything: object = new Proxy(() => {}, { get: () => anything })

/** Returns the names for which the bot registers listeners with Bolt, of which patterns are none. */
export function registeredNames() {
  const heard: Record<"command" | "event" | "shortcut" | "action" | "view", string[]> = {
    command: [],
    event: [],
    shortcut: [],
    action: [],
    view: [],
  }
  const app = Object.fromEntries(
    Object.entries(heard).map(([kind, found]) => [
      kind,
      (name: string | RegExp | { callback_id: string }) => {
        if (!(name instanceof RegExp))
          found.push(typeof name === "string" ? name : name.callback_id)
      },
    ]),
  )
  // Nothing is called before Slack sends something.
  registerListeners(app as never, {} as never, composeVerbs(anything as never))
  const { command: commands, event: events, shortcut: shortcuts, action: actions, view } = heard
  return { commands, events, shortcuts, actions, forms: view }
}
