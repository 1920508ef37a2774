import { type Atom, toAtoms } from "./atoms.ts"
import { parseInline, parsePlain } from "./inline.ts"
import type { Chunk } from "./nodes.ts"

/**
 * Parses a text object's mrkdwn according to Slack's documentation on formatting text. Without
 * `verbatim`, bare addresses and mentions count too.
 */
export function parseMrkdwn(source: string, options: { verbatim: boolean }): Chunk[] {
  const finds = { links: !options.verbatim, mentions: !options.verbatim }
  return toChunks(toAtoms(source, { finds }))
}

/** Parses a message's top-level `text`: addresses become links, bare mentions don't. */
export function parseMessageText(source: string): Chunk[] {
  return toChunks(toAtoms(source, { finds: { links: true, mentions: false } }))
}

function toChunks(atoms: readonly Atom[]): Chunk[] {
  const chunks: Chunk[] = []
  let from = 0
  for (let fence = fenceFrom(atoms, 0); fence !== undefined; fence = fenceFrom(atoms, from)) {
    const end = fenceFrom(atoms, fence + 3)
    if (end === undefined) break
    chunks.push(...lineChunks(trimBreaks(atoms.slice(from, fence))))
    chunks.push({ kind: "pre", children: parsePlain(trimBreaks(atoms.slice(fence + 3, end))) })
    from = end + 3
  }
  chunks.push(...lineChunks(from === 0 ? atoms : trimBreaks(atoms.slice(from))))
  return chunks
}

function fenceFrom(atoms: readonly Atom[], from: number): number | undefined {
  for (let at = from; at + 2 < atoms.length; at += 1) {
    if (atoms[at] === "`" && atoms[at + 1] === "`" && atoms[at + 2] === "`") return at
  }
  return undefined
}

/** Groups consecutive lines into quotes, which begin with `>`, and plain lines. */
function lineChunks(atoms: readonly Atom[]): Chunk[] {
  const runs: { quoted: boolean; atoms: Atom[] }[] = []
  for (const line of splitLines(atoms)) {
    const quoted = line[0] === ">"
    const body = quoted ? line.slice(line[1] === " " ? 2 : 1) : line
    const last = runs.at(-1)
    if (last?.quoted === quoted) last.atoms.push("\n", ...body)
    else runs.push({ quoted, atoms: [...body] })
  }
  return runs
    .filter((run) => run.atoms.length > 0)
    .map((run) => ({ kind: run.quoted ? "quote" : "lines", children: parseInline(run.atoms) }))
}

function splitLines(atoms: readonly Atom[]): Atom[][] {
  const lines: Atom[][] = [[]]
  for (const atom of atoms) {
    if (atom === "\n") lines.push([])
    else lines.at(-1)?.push(atom)
  }
  return lines
}

function trimBreaks(atoms: readonly Atom[]): Atom[] {
  const first = atoms[0] === "\n" ? 1 : 0
  const last = atoms.at(-1) === "\n" ? atoms.length - 1 : atoms.length
  return atoms.slice(first, Math.max(first, last))
}
