import { line, message, packed } from "../messages/blocks.ts"
import { date, foreignLine, joinNames, mention, ofProject, upperFirst } from "../messages/mrkdwn.ts"
import type { Message } from "../slack/message-types.ts"
import { type Watch, watchWords } from "./alerts.ts"
import type { Digest } from "./digest.ts"

/** Posts that a channel can get, as people name and type them. */
const KINDS = {
  digest: { many: "docs traffic digests", on: "subscribe weekly", list: "subscriptions" },
  alerts: { many: "docs traffic alerts", on: "alert on", list: "alert list" },
  feedback: { many: "reader feedback", on: "feedback on", list: "feedback list" },
} as const
export type PostKind = keyof typeof KINDS

const RHYTHMS: Readonly<Record<Digest["rhythm"]["every"], string>> = {
  daily: "",
  weekly: "on Mondays ",
  monthly: "at the start of each month ",
}

/** Announces what a channel gets from now on. @param label project's name, if there are several */
export function digestOn(digest: Digest, label: string | undefined): Message {
  const what = `the ${digestName(digest)}${ofProject(label)}`
  return turnedOn(digest.user, what, `I'll post it ${whenWords(digest)}.`, "unsubscribe")
}

export function alertsOn(user: string, watches: readonly Watch[]): Message {
  const promise = "I'll post when daily traffic is unusually high or low."
  return turnedOn(user, alertsName(watches), promise, "alert off")
}

export function feedbackOn(user: string, label: string | undefined): Message {
  const promise = "I'll post new comments from readers and AI agents, at most once an hour."
  return turnedOn(user, `reader feedback${ofProject(label)}`, promise, "feedback off")
}

function turnedOn(user: string, what: string, promise: string, off: string): Message {
  const stop = `To stop: \`/docs-visitors ${off}\``
  return line(`${mention(user)} turned on ${what} in this channel. ${promise} ${stop}`)
}

/** Tells a channel what it no longer gets. @param what names of what was turned off */
export function turnedOff(user: string, what: readonly string[]): Message {
  return line(`${mention(user)} turned off ${joinNames([...new Set(what)])} in this channel.`)
}

export function digestName({ rhythm }: Digest): string {
  return `${rhythm.every} docs traffic digest`
}

export function alertsName(watches: readonly Watch[]): string {
  return `docs traffic alerts for ${joinNames(watches.map(watchWords))}`
}

export function alreadyOn(kind: PostKind): Message {
  return line(`*Already on in this channel.* To see it: \`/docs-visitors ${KINDS[kind].list}\``)
}

export function nothingToTurnOff(kind: PostKind): Message {
  return line(`*Nothing to turn off.* To see what is on: \`/docs-visitors ${KINDS[kind].list}\``)
}

export function tooManyAlerts(most: number): Message {
  return line(
    `*A channel can have at most ${most} alerts.* Turn one off first: \`/docs-visitors alert list\` shows them.`,
  )
}

/** Texts for `cannotPostHere` when Slack did not confirm the announcement. */
export const NOT_TURNED_ON = {
  again: "turn it on again",
  unsure: "*Not turned on*: Slack didn't confirm my post. Try again.",
}

/** Tells a person that what they turned on has ended. */
export function subscriptionEnded(what: string, channel: string, why: string): Message {
  return line(
    `*No more ${what} in <#${channel}>*: ${why}. You can turn it on again in a channel where I can post.`,
  )
}

export interface ListedPost {
  what: string
  project: string
  user: string
  /** Time in ms; undefined while the bot does not serve the project, which may come back. */
  dueAt: number | undefined
}

export function listOfPosts(kind: PostKind, posts: readonly ListedPost[]): Message {
  const { many, on } = KINDS[kind]
  if (posts.length === 0)
    return line(`*This channel has no ${many}.* To start: \`/docs-visitors ${on}\``)
  const rows = posts
    .toSorted((a, b) => (a.dueAt ?? Infinity) - (b.dueAt ?? Infinity))
    .map(({ what, project, user, dueAt }) => {
      const next = dueAt === undefined ? "paused until its project is back" : `next ${date(dueAt)}`
      return `• *${upperFirst(what)}* · ${foreignLine(project, 40)} · turned on by ${mention(user)} · ${next}`
    })
  const title = `*${upperFirst(many)} in this channel*`
  return message({ lines: packed([title, ...rows]) })
}

/** Writes `on Mondays at 9:00 AM (Berlin time)`. */
export function whenWords({ rhythm: { every, hour, minute }, zone }: Digest): string {
  const time = `${hour % 12 || 12}:${String(minute).padStart(2, "0")} ${hour < 12 ? "AM" : "PM"}`
  const city = zone.split("/").at(-1)?.replaceAll("_", " ")
  return `${RHYTHMS[every]}at ${time} (${zone === "UTC" ? zone : `${city} time`})`
}
