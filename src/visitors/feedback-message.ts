import { context, line, section } from "../messages/blocks.ts"
import { anAdmin, counted, date, foreignLine, listed, mention } from "../messages/mrkdwn.ts"
import type { Message } from "../slack/message.ts"
import type { Feed } from "./feedback-feed.ts"
import type { CommentGap } from "./gap.ts"
import { evidenceWords, subjectWords } from "./gap-row.ts"
import { rowsOf, type ShownGaps } from "./gaps-message.ts"
import { PROJECT_GONE } from "./range-words.ts"

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
    blocks: [section(title), ...rowsOf(first, shown), context(about)],
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

export function feedbackOn({ user }: Feed, label: string | undefined): Message {
  return line(
    `${mention(user)} turned on reader feedback${ofLabel(label)} in this channel. I'll post new comments from readers and AI agents, at most once an hour. To stop: \`/docs-visitors feedback off\``,
  )
}

export function feedbackOff(user: string): Message {
  return line(`${mention(user)} turned off reader feedback in this channel.`)
}

export const FEEDBACK_ON_ALREADY = line(
  "*Reader feedback is already on* in this channel. To see it: `/docs-visitors feedback list`",
)

export const NO_FEEDBACK = line(
  "*Reader feedback is off in this channel.* An admin can turn it on: `/docs-visitors feedback on`",
)

export const FEEDBACK_LACKING = line(
  "*Not turned on*: your documentation service doesn't report comments.",
)

/** Texts for `cannotPostHere` when Slack did not confirm a feed. */
export const NOT_FED = {
  again: "turn reader feedback on again",
  unsure: "*Reader feedback not turned on*: Slack didn't confirm my post. Try again.",
}

export function feedbackForAdmins(admins: readonly string[]): Message {
  return line(
    `*Only an admin can turn this on or off*, because it shows what readers wrote. Ask ${anAdmin(admins)}.`,
  )
}

/** Lists feeds, without a time if the bot no longer serves the project, which may come back. */
export function feedbackList(
  feeds: readonly { feed: Feed; name: string; dueAt: number | undefined }[],
): Message {
  const lines = feeds.map(({ feed, name, dueAt }) => {
    const next = dueAt === undefined ? PROJECT_GONE : `next look ${date(dueAt, "{time}")}`
    return `• ${foreignLine(name, 40)} · turned on by ${mention(feed.user)} · ${next}`
  })
  return line(["*Reader feedback in this channel*", ...lines].join("\n"))
}

export function feedbackEnded(channel: string): Message {
  return line(
    `*Reader feedback in <#${channel}> has stopped*: I can't post there anymore, or you're no longer an admin who may ask there. An admin can turn it on again.`,
  )
}

function ofLabel(label: string | undefined): string {
  return label === undefined ? "" : ` of ${foreignLine(label, 40)}`
}
