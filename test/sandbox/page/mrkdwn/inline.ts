import type { Atom } from "./atoms.ts"
import type { Inline } from "./nodes.ts"

const MARKS: Readonly<Record<string, "bold" | "italic" | "strike">> = {
  "*": "bold",
  _: "italic",
  "~": "strike",
}

const WORD = /[\p{L}\p{N}]/u
const SPACE = /\s/

export function parseInline(atoms: readonly Atom[]): Inline[] {
  const nodes: Inline[] = []
  let words = ""
  const flush = () => {
    if (words !== "") nodes.push({ kind: "text", text: words })
    words = ""
  }
  const push = (node: Inline) => {
    flush()
    nodes.push(node)
  }
  for (let at = 0; at < atoms.length; ) {
    const atom = atoms[at]
    const span = typeof atom === "string" ? spanAt(atoms, at) : undefined
    if (span !== undefined) {
      push(span.node)
      at = span.end
      continue
    }
    if (atom === "\n") push({ kind: "break" })
    else if (typeof atom === "string") words += atom
    else if (atom !== undefined) push(atom)
    at += 1
  }
  flush()
  return nodes
}

interface Span {
  readonly node: Inline
  readonly end: number
}

function spanAt(atoms: readonly Atom[], at: number): Span | undefined {
  const mark = atoms[at]
  if (mark === ":") return emojiAt(atoms, at)
  if (mark === "`") {
    const end = atoms.indexOf("`", at + 1)
    if (end <= at + 1 || atoms.slice(at, end).includes("\n")) return undefined
    const children = parsePlain(atoms.slice(at + 1, end))
    return { node: { kind: "code", children }, end: end + 1 }
  }
  const kind = typeof mark === "string" ? MARKS[mark] : undefined
  if (kind === undefined || !mayOpen(atoms, at)) return undefined
  const end = closing(atoms, at)
  if (end === undefined) return undefined
  return { node: { kind, children: parseInline(atoms.slice(at + 1, end)) }, end: end + 1 }
}

export function parsePlain(atoms: readonly Atom[]): Inline[] {
  const nodes: Inline[] = []
  for (const atom of atoms) {
    const last = nodes.at(-1)
    if (typeof atom !== "string") nodes.push(atom)
    else if (last?.kind === "text")
      nodes[nodes.length - 1] = { kind: "text", text: last.text + atom }
    else nodes.push({ kind: "text", text: atom })
  }
  return nodes
}

const EMOJI = /^:([a-z0-9_+'-]+):/

function emojiAt(atoms: readonly Atom[], at: number): Span | undefined {
  const ahead = atoms.slice(at, at + 60)
  const text = ahead.map((atom) => (typeof atom === "string" ? atom : " ")).join("")
  const name = EMOJI.exec(text)?.[1]
  if (name === undefined) return undefined
  return { node: { kind: "emoji", name }, end: at + Array.from(name).length + 2 }
}

/** Returns whether a mark can open here: before a word, not in the middle of one. */
function mayOpen(atoms: readonly Atom[], at: number): boolean {
  const before = atoms[at - 1]
  const after = atoms[at + 1]
  if (after === undefined || after === atoms[at]) return false
  if (typeof after === "string" && SPACE.test(after)) return false
  return !(typeof before === "string" && WORD.test(before))
}

function closing(atoms: readonly Atom[], open: number): number | undefined {
  for (let at = open + 2; at < atoms.length; at += 1) {
    if (atoms[at] === "\n") return undefined
    if (atoms[at] !== atoms[open]) continue
    const before = atoms[at - 1]
    const after = atoms[at + 1]
    const endsWord = typeof before !== "string" || !SPACE.test(before)
    const goesOn = typeof after === "string" && WORD.test(after)
    if (endsWord && !goesOn) return at
  }
  return undefined
}
