import { z } from "zod"
import { truncate } from "../lib/truncate.ts"
import type { GitHubRequests } from "./github-client.ts"
import type { pullSchema } from "./pull-state-and-activity.ts"

/** Number of changed files whose names people see. */
const FILES_NAMED = 3
/** Maximum length of a file name, in code points. */
const MAX_NAME = 200
/** Maximum number of changed lines, and so of files, that people see in the thread. */
const MAX_SHOWN = 20
/** Maximum length of a line, in code points. */
const MAX_LINE = 200

const filesSchema = z.array(
  z.object({
    filename: z.string().transform((text) => truncate(text, MAX_NAME)),
    patch: z.string().nullish(),
  }),
)

/** Reads the first files' names and, of a small change, all changed lines. */
export async function readFiles(
  requests: GitHubRequests,
  base: string,
  pull: z.output<typeof pullSchema>,
) {
  const isShown = isSmall(pull)
  const most = isShown ? MAX_SHOWN : FILES_NAMED
  const { data } = await requests.read(`${base}/files?per_page=${most}`, filesSchema)
  const names = data.slice(0, FILES_NAMED).map(({ filename }) => filename)
  return { names, changes: isShown ? changesOf(data) : undefined }
}

/** Returns whether so few lines have changed that they are shown; GitHub may not say how many. */
function isSmall({ additions, deletions }: z.output<typeof pullSchema>): boolean {
  const changed = (additions ?? Number.NaN) + (deletions ?? Number.NaN)
  return changed > 0 && changed <= MAX_SHOWN
}

/** Reads the changed lines of GitHub's patches, each with its sign, `+` or `-`. */
function changesOf(files: z.output<typeof filesSchema>) {
  let room = MAX_SHOWN
  return files.flatMap(({ filename: path, patch }) => {
    // A patch has hunks alone: no line of it names a file, and "\\" marks a missing line end.
    const changed = (patch ?? "").split("\n").filter((line) => /^[+-]/.test(line))
    const lines = changed.slice(0, room).map((line) => truncate(line, MAX_LINE))
    room -= lines.length
    return lines.length > 0 ? [{ path, lines }] : []
  })
}
