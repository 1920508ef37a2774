/** The page's colours; `auto` follows the system. */
export const THEMES = ["auto", "light", "dark"] as const
export type Theme = (typeof THEMES)[number]

/** The theme that a name stands for; `auto` for anything else. */
export function themeOf(name: string | undefined): Theme {
  return THEMES.find((theme) => theme === name) ?? "auto"
}
