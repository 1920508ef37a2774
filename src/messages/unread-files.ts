import { MAX_BYTES, type UnreadFile, type UnreadReason } from "../slack/read-file.ts"
import { line, message, packed } from "./blocks.ts"
import { anAdmin, foreignLine } from "./mrkdwn.ts"

const UNREAD: Record<UnreadReason, string> = {
  not_text: "it isn't a text file",
  too_large: `it's over ${MAX_BYTES / 1024} kB`,
  empty: "it's empty",
  no_permission: "I don't have permission to read files",
  not_shared: "I don't have access to it",
  unavailable: "I couldn't download it",
  no_room: "there was no room left for it",
}

/** Maximum number of files to name, as many as people can attach at once. */
const MAX_FILES = 10

/** Lists the files of which the agent gets only the names. @param files at least one */
export function unreadFilesMessage(files: readonly UnreadFile[], admins: readonly string[]) {
  const allow = files.some(({ why }) => why === "no_permission")
    ? `Ask ${anAdmin(admins)} to add the \`files:read\` permission. `
    : ""
  const next = `${allow}If the content matters, describe it in a follow-up.`
  const named = files.map(
    ({ name, why, kind }) =>
      `${name ? foreignLine(name, 80) : "an unnamed file"}: ${why === "not_text" && kind ? `it's a ${kind.replace("_", " ")}` : UNREAD[why]}`,
  )
  if (named.length === 1) return line(`*The agent can't see* ${named[0]}. ${next}`)
  const more = named.length > MAX_FILES ? [`…and ${named.length - MAX_FILES} more`] : []
  const head = `*The agent can't see ${files.length} of your files*:`
  const listed = named.slice(0, MAX_FILES).map((one) => `• ${one}`)
  return message({ lines: packed([head, ...listed, ...more, next]) })
}
