const CONTEXT_LINES = 3

/**
 * Returns the lines of a unified diff with three lines of context. It has at most one hunk, from the
 * first changed line to the last: the local agent changes one place in a file.
 */
export function unifiedDiff(before: string, after: string): string[] {
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
    ...old.slice(from, start).map((text) => ` ${text}`),
    ...old.slice(start, oldEnd).map((text) => `-${text}`),
    ...fresh.slice(start, freshEnd).map((text) => `+${text}`),
    ...old.slice(oldEnd, oldEnd + CONTEXT_LINES).map((text) => ` ${text}`),
  ]
  const length = (other: string) => lines.filter((line) => !line.startsWith(other)).length
  return [`@@ -${from + 1},${length("+")} +${from + 1},${length("-")} @@`, ...lines]
}

/** Returns the number of added and removed lines, as in `+3 −1`. */
export function linesOf(before: string, after: string): { added: number; removed: number } {
  const lines = unifiedDiff(before, after)
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length
  return { added: count("+"), removed: count("-") }
}
