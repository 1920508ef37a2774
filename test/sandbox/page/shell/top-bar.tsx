import { usePage } from "../model/context.ts"
import { Icon } from "./icon.tsx"
import { PersonSwitch } from "./person-switch.tsx"

export function TopBar() {
  const { view, dispatch } = usePage()
  return (
    <header class="top-bar">
      <button
        type="button"
        class="icon-button drawer-button"
        aria-label="Channels"
        aria-expanded={view.drawer}
        onClick={() => dispatch({ do: "drawer", open: !view.drawer })}
      >
        <Icon name="menu" />
      </button>
      <h1 class="brand">
        <Mark />
        <span>
          <strong>Docs Agent</strong> sandbox
        </span>
      </h1>
      <PersonSwitch />
    </header>
  )
}

/** Renders the sandbox's logo, a page with a folded corner. */
function Mark() {
  return (
    <svg class="brand-mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="9" class="ground" />
      <path d="M9 6.5h9.5L24 12v13.5H9z" class="leaf" />
      <path d="M18.5 6.5V12H24z" class="corner" />
      <path d="M12.5 16h8M12.5 20h5" class="lines" />
    </svg>
  )
}
