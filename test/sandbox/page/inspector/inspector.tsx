import { usePage } from "../model/context.ts"
import type { InspectorView } from "../model/view-state.ts"
import { Icon } from "../shell/icon.tsx"
import { Requests } from "./requests.tsx"
import { Traffic } from "./traffic.tsx"

/** What goes over the wires, and what the bot keeps of each request. */
export function Inspector({ inspector }: { inspector: InspectorView }) {
  const { dispatch } = usePage()
  const tab = (name: "traffic" | "requests", words: string) => (
    <button
      type="button"
      aria-pressed={inspector.tab === name}
      onClick={() => dispatch({ do: "inspect", view: { tab: name } })}
    >
      {words}
    </button>
  )
  return (
    <section class="inspector" aria-label="Inspector">
      <header class="inspector-header">
        <h2>Inspector</h2>
        <fieldset class="tabs" aria-label="What to look at">
          {tab("traffic", "Traffic")}
          {tab("requests", "Requests in Redis")}
        </fieldset>
        <button
          type="button"
          class="icon-button"
          aria-label="Close the inspector"
          onClick={() => dispatch({ do: "close_inspector" })}
        >
          <Icon name="close" />
        </button>
      </header>
      {inspector.tab === "traffic" ? <Traffic /> : <Requests />}
    </section>
  )
}
