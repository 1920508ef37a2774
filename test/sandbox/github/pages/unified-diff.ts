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

/** Returns the hunks of a unified diff between two texts, with three lines of context. */
export function unifiedDiff(before: string, after: string): Hunk[] {
  const lines = compare(before.split("\n"), after.split("\n"))
  const hunks: DiffLine[][] = []
  let lastKept = Number.NEGATIVE_INFINITY
  lines.forEach((line, index) => {
    const near = lines.slice(Math.max(0, index - CONTEXT_LINES), index + CONTEXT_LINES + 1)
    if (near.every(({ kind }) => kind === "same")) return
    if (index === lastKept + 1) hunks.at(-1)?.push(line)
    else hunks.push([line])
    lastKept = index
  })
  return hunks.map((hunk) => ({ header: headerOf(hunk), lines: hunk }))
}

/** Returns the number of added and removed lines, as in `+3 −1`. */
export function linesOf(before: string, after: string): { added: number; removed: number } {
  const lines = unifiedDiff(before, after).flatMap((hunk) => hunk.lines)
  const count = (kind: DiffLine["kind"]) => lines.filter((line) => line.kind === kind).length
  return { added: count("added"), removed: count("removed") }
}

/** Follows a longest common subsequence; removed lines come before added ones. */
function compare(before: readonly string[], after: readonly string[]): DiffLine[] {
  const common = commonLengths(before, after)
  const lines: DiffLine[] = []
  let i = 0
  let j = 0
  while (i < before.length || j < after.length) {
    const old = before[i]
    const fresh = after[j]
    if (old !== undefined && old === fresh) {
      lines.push({ kind: "same", text: old, before: ++i, after: ++j })
    } else if (old !== undefined && (common[i + 1]?.[j] ?? 0) >= (common[i]?.[j + 1] ?? -1)) {
      lines.push({ kind: "removed", text: old, before: ++i, after: undefined })
    } else {
      lines.push({ kind: "added", text: fresh ?? "", before: undefined, after: ++j })
    }
  }
  return lines
}

/** Returns the length of a longest common subsequence of the rest, for each pair of positions. */
function commonLengths(before: readonly string[], after: readonly string[]): number[][] {
  const table = Array.from({ length: before.length + 1 }, () => after.concat("").map(() => 0))
  for (let i = before.length - 1; i >= 0; i--) {
    const row = table[i] ?? []
    const below = table[i + 1] ?? []
    for (let j = after.length - 1; j >= 0; j--) {
      row[j] =
        before[i] === after[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0)
    }
  }
  return table
}

function headerOf(lines: readonly DiffLine[]): string {
  const old = lines.flatMap((line) => line.before ?? [])
  const fresh = lines.flatMap((line) => line.after ?? [])
  return `@@ -${old[0] ?? 0},${old.length} +${fresh[0] ?? 0},${fresh.length} @@`
}
