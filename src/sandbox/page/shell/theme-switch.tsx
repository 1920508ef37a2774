import { useEffect, useState } from "preact/hooks"
import { Icon } from "./icon.tsx"

const KEY = "docs-agent-sandbox.theme"
const THEMES = ["auto", "light", "dark"] as const
type Theme = (typeof THEMES)[number]

const ICONS = { auto: "auto", light: "sun", dark: "moon" } as const

/** Light or dark: by the system, or as chosen here. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState<Theme>(stored)
  useEffect(() => {
    document.documentElement.dataset.theme = theme
    localStorage.setItem(KEY, theme)
  }, [theme])
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "auto"
  const words = theme === "auto" ? "as the system" : theme
  return (
    <button
      type="button"
      class="tool tool-theme"
      aria-label={`Colours: ${words}. Change to ${next === "auto" ? "as the system" : next}`}
      title={`Colours: ${words}`}
      onClick={() => setTheme(next)}
    >
      <Icon name={ICONS[theme]} />
    </button>
  )
}

function stored(): Theme {
  const known = localStorage.getItem(KEY)
  return THEMES.find((theme) => theme === known) ?? "auto"
}
