import type { UnreadFile } from "../jobs/attached.ts"
import type { UnreadReason } from "../ports/files.ts"
import type { Message } from "../ports/message.ts"
import { line, list } from "./blocks.ts"
import { anAdmin, foreignLine } from "./mrkdwn.ts"

const REASONS: Record<UnreadReason, string> = {
  deleted: "it was deleted",
  hidden: "Slack no longer shows it",
  external: "it isn't stored in Slack",
  not_text: "it isn't a text file",
  too_large: "it's over 100 kB",
  empty: "it's empty",
  no_permission: "I'm not allowed to read files here",
  not_shared: "I don't have access to it",
  unavailable: "I couldn't download it",
  no_room: "too many files; I read the first ones",
}

/** People attach as many at once. */
const SHOWN = 10

/** Names the files of which the agent got no more than the names. @param files at least one */
export function unreadFilesMessage(
  files: readonly UnreadFile[],
  admins: readonly string[],
): Message {
  const allow = files.some(({ why }) => why === "no_permission")
    ? `To change that, ask ${anAdmin(admins)} (\`files:read\`). `
    : ""
  const next = `${allow}If it matters, describe it in a follow-up.`
  const [only] = files
  if (files.length === 1 && only)
    return line(`*The agent can't see ${called(only)}*: ${REASONS[only.why]}. ${next}`)
  const named = files.slice(0, SHOWN).map((file) => `• ${called(file)}: ${REASONS[file.why]}`)
  const more = files.length > SHOWN ? [`…and ${files.length - SHOWN} more`] : []
  const head = `*The agent can't see ${files.length} of your files:*`
  return list([head, ...named, ...more, next])
}

function called({ name }: UnreadFile): string {
  return name ? foreignLine(name, 80) : "a file"
}
