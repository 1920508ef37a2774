import { context, line, section } from "../messages/blocks.ts"
import { anAdmin, counted, foreignLine, listed } from "../messages/mrkdwn.ts"
import type { Message } from "../slack/message.ts"
import type { CommentGap } from "./gap.ts"
import { evidenceWords, gapRows, type ShownGaps, subjectWords } from "./gap-row.ts"

/** Groups of comments in one message. */
const MAX_GROUPS = 10

/** Shows new comments to a channel. */
export function feedbackMessage(groups: readonly CommentGap[], shown: ShownGaps, project: string) {
  const first = groups.slice(0, MAX_GROUPS)
  const left = groups.slice(MAX_GROUPS).reduce((sum, { written }) => sum + written, 0)
  const title = `*New on the docs*: ${writtenWords(groups)}`
  const more = left > 0 ? `and ${left} more: \`/docs-visitors gaps\` · ` : ""
  const about = `${more}${foreignLine(project, 40)} · manage: \`/docs-visitors feedback list\``
  const subjects = first.map((group) => `${subjectWords(group)} (${evidenceWords(group)})`)
  return {
    text: `${title.replaceAll("*", "")}. ${subjects.join("; ")}`,
    blocks: [section(title), ...gapRows(first, shown), context(about)],
  }
}

/** Writes "2 comments from readers and 1 from AI agents". */
export function writtenWords(groups: readonly Pick<CommentGap, "by" | "written">[]): string {
  const by = (who: CommentGap["by"]) =>
    groups.filter((group) => group.by === who).reduce((sum, { written }) => sum + written, 0)
  const [readers, agents] = [by("readers"), by("agents")]
  const all = [
    ...(readers > 0 ? [`${counted(readers, "comment")} from readers`] : []),
    ...(agents > 0 ? [`${counted(agents, "comment")} from AI agents`] : []),
  ]
  return listed(all)
}

export const FEEDBACK_LACKING = line(
  "*Not turned on*: your documentation service doesn't report comments.",
)

export function feedbackForAdmins(admins: readonly string[]): Message {
  return line(
    `*Only an admin can turn this on or off*, because it shows what readers wrote. Ask ${anAdmin(admins)}.`,
  )
}
