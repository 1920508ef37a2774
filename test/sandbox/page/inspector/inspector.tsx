import { usePage } from "../model/context.ts"
import { Icon } from "../shell/icon.tsx"
import { Traffic } from "./traffic.tsx"

/** What goes over the wires between Slack, the bot and the service. */
export function Inspector() {
  const { dispatch } = usePage()
  return (
    <section class="inspector" aria-label="Inspector">
      <header class="inspector-header">
        <h2>Inspector</h2>
        <button
          type="button"
          class="icon-button"
          aria-label="Close the inspector"
          onClick={() => dispatch({ do: "close_inspector" })}
        >
          <Icon name="close" />
        </button>
      </header>
      <Traffic />
    </section>
  )
}
