import { readFileSync } from "node:fs"
import { type Markup, markup } from "./markup.ts"

const STYLE = readFileSync(new URL("style.css", import.meta.url), "utf8")

/** Returns a repository page around `content`, as a whole HTML document. */
export function layout(title: string, repository: string, content: Markup): string {
  const [owner = "", ...names] = repository.split("/")
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${repository}</title>
<style>${{ markup: STYLE }}</style>
</head>
<body>
<header class="bar">
<span class="logo" aria-hidden="true">D</span>
<span class="crumbs">${owner} / <b>${names.join("/")}</b></span>
</header>
<main>
${content}
</main>
<footer>Local documentation service. This repository and its changes exist only on this machine.</footer>
</body>
</html>
`.markup
}

/** Formats a time in UTC, as a `<time>` element. */
export function timeOf(ms: number): Markup {
  const iso = new Date(ms).toISOString()
  const words = new Intl.DateTimeFormat("en-US", {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: "UTC",
  }).format(ms)
  return markup`<time datetime="${iso}">${words} UTC</time>`
}

/** Returns the page for a repository or pull request that doesn't exist. */
export function missingPage(path: string): string {
  return layout(
    "Not found",
    "acme/docs",
    markup`<h1>Not found</h1><p>There's no page at <code>${path}</code>. A pull request appears
here once the agent opens it.</p>`,
  )
}
