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
