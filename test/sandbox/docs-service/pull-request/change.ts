import type { FileChange } from "../../github/pull.ts"
import { DOCS_PAGES, type DocsPage } from "./docs-pages.ts"
import { requestOf, titleOf, wordsIn } from "./prompt-words.ts"

export interface Change {
  readonly files: readonly FileChange[]
  /** True if the files contain marks in place of text that the local service can't write. */
  readonly hasMarks: boolean
}

/** Outdated versions that a seeded conversation complains about, and their replacements. */
const OUTDATED: readonly [was: string, is: string][] = [
  ["Node.js 18", "Node.js 20.19"],
  ["v18", "v20.19"],
]
const ABOUT_VERSION = /\bnode(?:\.?js)?\b[^\n]{0,20}\b(?:18|20)\b|\bfix\b[^\n]*\bquick.?start\b/i
/** Pages that mention the version, by the words that refer to the page. */
const WITH_VERSION: readonly [named: RegExp, path: string][] = [
  [/\bquick.?start\b/i, "quickstart.mdx"],
  [/\binstall|\brequirements\b/i, "self-hosting/install.mdx"],
]

/** Returns the change for the prompts, never empty and always the same for the same prompts. */
export function changeFor(prompts: readonly string[]): Change {
  const texts = new Map(DOCS_PAGES.map(({ path, text }) => [path, text]))
  let hasMarks = false
  prompts.forEach((prompt, index) => {
    const soFar = prompts.slice(0, index + 1).join("\n")
    if (ABOUT_VERSION.test(soFar) && correctVersion(texts, prompt)) return
    mark(texts, pageAbout(prompts[0] ?? ""), prompt)
    hasMarks = true
  })
  const files = DOCS_PAGES.flatMap(({ path, text: before }) => {
    const after = texts.get(path) ?? before
    return after === before ? [] : [{ path, before, after }]
  })
  return { files, hasMarks }
}

/** Corrects the version on the named pages, or on all; returns false if nothing changed. */
function correctVersion(texts: Map<string, string>, prompt: string): boolean {
  const named = WITH_VERSION.filter(([name]) => name.test(prompt))
  const pages = named.length > 0 ? named : WITH_VERSION
  const changes = pages.map(([, path]) => {
    const before = texts.get(path) ?? ""
    const after = OUTDATED.reduce((text, [was, is]) => text.replaceAll(was, is), before)
    texts.set(path, after)
    return after !== before
  })
  return changes.includes(true)
}

function pageAbout(prompt: string): DocsPage {
  const request = requestOf(prompt)
  const page = DOCS_PAGES.find(({ about }) => about.test(request)) ?? DOCS_PAGES[0]
  if (!page) throw new Error("There are no docs pages to edit")
  return page
}

/** Adds a mark to the section that the prompt is about, or to the last one before "Next steps". */
function mark(texts: Map<string, string>, { path, text }: DocsPage, prompt: string): void {
  const [front = "", ...sections] = (texts.get(path) ?? text).split(/^(?=## )/m)
  const asked = new Set(wordsIn(requestOf(prompt)))
  const about = sections.findIndex((section) =>
    wordsIn(section.slice(0, section.indexOf("\n"))).some((word) => asked.has(word)),
  )
  const at = about >= 0 ? about : sections.length - 2
  const line = `{/* The docs agent would write here: ${titleOf(prompt)} */}\n\n`
  texts.set(path, [front, ...sections.with(at, `${sections[at]}${line}`)].join(""))
}
