import { type Theme, themeOf } from "../theme.ts"

/** Seen by every sandbox of this browser: cookies know no ports. */
const NAME = "docs-agent-sandbox-theme"
const YEAR_S = 31_536_000

/** The colours that the sender of a `Cookie` header chose. */
export function themeIn(cookies: string | undefined): Theme {
  const pairs = (cookies ?? "").split(/; */).map((pair) => pair.split("="))
  return themeOf(pairs.find(([name]) => name === NAME)?.[1])
}

/** The `Set-Cookie` header that keeps a choice. */
export function themeCookie(theme: Theme): string {
  return `${NAME}=${theme}; Path=/; Max-Age=${YEAR_S}; SameSite=Strict; HttpOnly`
}
