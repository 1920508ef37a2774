import { useState } from "preact/hooks"
import { THEMES, themeOf } from "../../workspace/theme.ts"
import { keepTheme, wordsOf } from "../model/api.ts"
import { usePage } from "../model/context.ts"
import { Icon } from "./icon.tsx"

const ICONS = { auto: "auto", light: "sun", dark: "moon" } as const

/**
 * Light or dark: by the system, or as chosen here. The server writes the choice into the document, so
 * that the first paint has it and the page need not wait for the browser's storage.
 */
export function ThemeSwitch() {
  const { notify } = usePage()
  const [theme, setTheme] = useState(() => themeOf(document.documentElement.dataset.theme))
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
        keepTheme(next).catch((error: unknown) => notify(wordsOf(error)))
      }}
    >
      <Icon name={ICONS[theme]} />
    </button>
  )
}
