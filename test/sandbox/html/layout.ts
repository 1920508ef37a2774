import { type Markup, markup } from "./markup.ts"
import { STYLE } from "./style.ts"

/** The frame of all repository pages. @returns the whole document as text. */
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
<span class="crumbs">${owner} / <b><a href="/${address(repository)}">${names.join("/")}</a></b></span>
</header>
<main>
${content}
</main>
<footer>Local documentation service. This repository and its changes exist on this machine only.</footer>
</body>
</html>
`.markup
}

/** The repository's path with each segment escaped for an address. */
export function address(repository: string): string {
  return repository.split("/").map(encodeURIComponent).join("/")
}

/** A time in words, UTC, readable by machines too. */
export function timeOf(ms: number): Markup {
  const iso = new Date(ms).toISOString()
  const words = new Intl.DateTimeFormat("en-GB", {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: "UTC",
  }).format(ms)
  return markup`<time datetime="${iso}">${words} UTC</time>`
}
