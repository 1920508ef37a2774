import { useState } from "preact/hooks"
import { Icon } from "./icon.tsx"

/** The page's colours; `auto` follows the system. */
const THEMES = ["auto", "light", "dark"] as const
type Theme = (typeof THEMES)[number]
const ICONS = { auto: "auto", light: "sun", dark: "moon" } as const
const KEY = "docs-agent-sandbox.theme"

/** The colours that were chosen on this machine. */
export function keptTheme(): Theme {
  const kept = localStorage.getItem(KEY)
  return THEMES.find((theme) => theme === kept) ?? "auto"
}

/** Light or dark: by the system, or as chosen here. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState(keptTheme)
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "auto"
  const words = theme === "auto" ? "as the system" : theme
  return (
    <button
      type="button"
      class="tool tool-theme"
      aria-label={`Colours: ${words}. Change to ${next === "auto" ? "as the system" : next}`}
      title={`Colours: ${words}`}
      onClick={() => {
        setTheme(next)
        document.documentElement.dataset.theme = next
        localStorage.setItem(KEY, next)
      }}
    >
      <Icon name={ICONS[theme]} />
    </button>
  )
}
