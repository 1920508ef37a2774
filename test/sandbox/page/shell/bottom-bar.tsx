import { usePage } from "../model/context.ts"
import { Icon } from "./icon.tsx"

export function BottomBar() {
  const { view, dispatch } = usePage()
  const shown = view.dock === "service" ? "service" : "chat"
  return (
    <nav class="bottom-bar" aria-label="Sandbox views">
      <button
        type="button"
        aria-current={shown === "chat" ? "page" : undefined}
        onClick={() => {
          if (view.dock === "service") dispatch({ do: "dock", dock: undefined })
        }}
      >
        <Icon name="chat" /> Chat
      </button>
      <button
        type="button"
        aria-current={shown === "service" ? "page" : undefined}
        onClick={() => {
          dispatch({ do: "dock", dock: "service" })
        }}
      >
        <Icon name="service" /> Service
      </button>
    </nav>
  )
}
