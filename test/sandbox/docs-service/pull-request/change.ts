import { seedOf } from "../seeded.ts"
import { DOCS_PAGES, MISSPELLINGS } from "./docs-pages.ts"
import { headingOf } from "./prompt-words.ts"

export interface Change {
  readonly path: string
  readonly before: string
  readonly after: string
}

/** A plausible edit of one page for a row of prompts; the same for the same prompts. */
export function changeFor(prompts: readonly string[]): Change {
  const first = prompts[0] ?? ""
  const page = DOCS_PAGES.find(({ about }) => about.test(first)) ?? DOCS_PAGES[0]
  if (!page) throw new Error("There are no docs pages to edit")
  return { path: page.path, before: page.text, after: prompts.reduce(edit, page.text) }
}

/** Never gives the text back unchanged: where nothing else fits, a section is added. */
function edit(text: string, prompt: string): string {
  const edits = [replaceWords, fixSpelling, removeSection]
  for (const attempt of edits) {
    const edited = attempt(text, prompt)
    if (edited !== text) return edited
  }
  return addSection(text, prompt)
}

function replaceWords(text: string, prompt: string): string {
  const pattern =
    /\b(?:rename|replace|change)\s+["'“‘\x60]?(.{2,40}?)["'”’\x60]?\s+(?:to|with|by)\s+["'“‘\x60]?([^"'”’\x60\n.]{1,40})/i
  const [, from, to] = pattern.exec(prompt) ?? []
  return from === undefined || to === undefined ? text : text.replaceAll(from, () => to.trim())
}

function fixSpelling(text: string, prompt: string): string {
  if (!/\b(typos?|spelling|misspell\w*|grammar)\b/i.test(prompt)) return text
  return Object.entries(MISSPELLINGS).reduce(
    (fixed, [wrong, right]) => fixed.replaceAll(wrong, right),
    text,
  )
}

/** Removes the section whose heading the prompt names, else the last but one. */
function removeSection(text: string, prompt: string): string {
  if (!/\b(remove|delete|drop|shorten|shorter|too long|concise)\b/i.test(prompt)) return text
  const [front = "", ...sections] = text.split(/^(?=## )/m)
  const words = new Set(prompt.toLowerCase().match(/\p{L}{4,}/gu) ?? [])
  const named = sections.findIndex((section) =>
    (
      headingLine(section)
        .toLowerCase()
        .match(/\p{L}{4,}/gu) ?? []
    ).some((word) => words.has(word)),
  )
  const removed = named >= 0 ? named : sections.length - 2
  return [front, ...sections.filter((_, index) => index !== removed)].join("")
}

function addSection(text: string, prompt: string): string {
  const heading = headingOf(prompt)
  const body = BODIES[seedOf(prompt) % BODIES.length] ?? ""
  const section = `## ${heading}\n\n${body}\n\n`
  const end = text.lastIndexOf("## Next steps")
  return end < 0 ? `${text}\n${section}` : text.slice(0, end) + section + text.slice(end)
}

function headingLine(section: string): string {
  return section.slice(0, section.indexOf("\n"))
}

const BODIES = [
  `This works the same in every project.

1. Open **Settings** and choose the project.
2. Make the change and save it.
3. Send a test request to see it at work.

<Note>It can take a minute until all regions have the change.</Note>`,
  `You can do this at any time, without downtime.

\`\`\`bash
acme projects update --project prj_example
\`\`\`

The command prints what it changed. Run it again to check: it changes nothing
the second time.`,
  `Three things to know:

- It applies to new requests only.
- Members with the **Editor** role can change it.
- The audit log records who changed it and when.

<Tip>Try it in a sandbox first.</Tip>`,
]
