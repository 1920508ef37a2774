import { truncate } from "../lib/truncate.ts"

/** Maximum number of changed lines, and so of files, that people see in the thread. */
export const MAX_SHOWN = 20
/** Maximum length of a line, in code points. */
const MAX_LINE = 200

/** Returns whether so few lines have changed that they are shown; GitHub may not say how many. */
export function isSmall({
  additions,
  deletions,
}: { [Of in "additions" | "deletions"]?: number | null | undefined }) {
  const changed = (additions ?? Number.NaN) + (deletions ?? Number.NaN)
  return changed > 0 && changed <= MAX_SHOWN
}

/** Reads the changed lines of GitHub's patches, each with its sign, `+` or `-`. */
export function changesOf(
  files: readonly { filename: string; patch?: string | null | undefined }[],
) {
  let room = MAX_SHOWN
  return files.flatMap(({ filename: path, patch }) => {
    // A patch has hunks alone: no line of it names a file, and "\\" marks a missing line end.
    const changed = (patch ?? "").split("\n").filter((line) => /^[+-]/.test(line))
    const lines = changed.slice(0, room).map((line) => truncate(line, MAX_LINE))
    room -= lines.length
    return lines.length > 0 ? [{ path, lines }] : []
  })
}
