import { readFileSync } from "node:fs"

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

/** HTML from the `markup` tag, which escapes all values inserted into it. */
export interface Markup {
  readonly markup: string
}

type Part = string | number | Markup | readonly Part[]

/** Escapes the text inserted into a template, including in quoted attributes. */
export function markup(literals: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  const rendered = literals.map((literal, index) => literal + render(parts[index] ?? ""))
  return { markup: rendered.join("") }
}

function render(part: Part): string {
  if (typeof part === "string" || typeof part === "number") return escaped(String(part))
  if ("markup" in part) return part.markup
  return part.map(render).join("")
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;")
}
