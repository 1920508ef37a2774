interface DiffLine {
  readonly kind: "same" | "added" | "removed"
  readonly text: string
  /** Line number, counted from 1; undefined on the side that lacks the line. */
  readonly before: number | undefined
  readonly after: number | undefined
}

export interface Hunk {
  /** Header such as `@@ -12,6 +12,9 @@`. */
  readonly header: string
  readonly lines: readonly DiffLine[]
}

const CONTEXT_LINES = 3

/**
 * Returns a unified diff of two texts with three lines of context. It has at most one hunk, from the
 * first changed line to the last: the local agent changes one place in a file.
 */
export function unifiedDiff(before: string, after: string): Hunk[] {
  if (before === after) return []
  const [old, fresh] = [before.split("\n"), after.split("\n")]
  const shorter = Math.min(old.length, fresh.length)
  let start = 0
  while (start < shorter && old[start] === fresh[start]) start += 1
  let rest = 0
  while (rest < shorter - start && old.at(-1 - rest) === fresh.at(-1 - rest)) rest += 1
  const [oldEnd, freshEnd] = [old.length - rest, fresh.length - rest]
  const from = Math.max(0, start - CONTEXT_LINES)
  const lines = [
    ...old.slice(from, start).map((text, n) => line("same", text, from + n, from + n)),
    ...old.slice(start, oldEnd).map((text, n) => line("removed", text, start + n, undefined)),
    ...fresh.slice(start, freshEnd).map((text, n) => line("added", text, undefined, start + n)),
    ...old
      .slice(oldEnd, oldEnd + CONTEXT_LINES)
      .map((text, n) => line("same", text, oldEnd + n, freshEnd + n)),
  ]
  return [{ header: headerOf(lines), lines }]
}

/** Returns a line of the diff, with its indexes on either side, which count from 0. */
function line(kind: DiffLine["kind"], text: string, before?: number, after?: number): DiffLine {
  const number = (index: number | undefined) => (index === undefined ? undefined : index + 1)
  return { kind, text, before: number(before), after: number(after) }
}

/** Returns the number of added and removed lines, as in `+3 −1`. */
export function linesOf(before: string, after: string): { added: number; removed: number } {
  const lines = unifiedDiff(before, after).flatMap((hunk) => hunk.lines)
  const count = (kind: DiffLine["kind"]) => lines.filter((one) => one.kind === kind).length
  return { added: count("added"), removed: count("removed") }
}

function headerOf(lines: readonly DiffLine[]): string {
  const old = lines.flatMap((line) => line.before ?? [])
  const fresh = lines.flatMap((line) => line.after ?? [])
  return `@@ -${old[0] ?? 0},${old.length} +${fresh[0] ?? 0},${fresh.length} @@`
}
