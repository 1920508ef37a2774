import { line, message, packed } from "../messages/blocks.ts"
import { date, foreignLine, joinNames, mention, ofProject, upperFirst } from "../messages/mrkdwn.ts"
import type { Message } from "../slack/message-types.ts"
import { watchWords } from "./alerts.ts"
import type { Digest, Subscription, SubscriptionKind } from "./scheduled-posts.ts"

/** Names of each kind of subscription, and the commands about it. */
const KINDS = {
  digest: {
    many: "docs traffic digests",
    on: "subscribe weekly",
    off: "unsubscribe",
    list: "subscriptions",
  },
  alert: { many: "docs traffic alerts", on: "alert on", off: "alert off", list: "alert list" },
  feedback: {
    many: "reader feedback",
    on: "feedback on",
    off: "feedback off",
    list: "feedback list",
  },
} as const

const RHYTHMS: Readonly<Record<Digest["every"], string>> = {
  daily: "",
  weekly: "on Mondays ",
  monthly: "at the start of each month ",
}

/**
 * Names subscriptions; alerts together, because they share a message.
 * @param labelOf returns a project's name, if there are several
 */
export function subscriptionNames(
  subscriptions: readonly Subscription[],
  labelOf: (project: string) => string | undefined,
): string[] {
  const watches = subscriptions.filter((one) => one.kind === "alert")
  if (watches.length > 0) return [`docs traffic alerts for ${joinNames(watches.map(watchWords))}`]
  const names = subscriptions.map((one) => {
    const name = one.kind === "digest" ? `${one.every} docs traffic digest` : "reader feedback"
    return `${name}${ofProject(labelOf(one.project))}`
  })
  return [...new Set(names)]
}

/** Announces what a channel gets from now on. @param first of the subscriptions with these names */
export function turnedOn(names: readonly string[], first: Subscription): Message {
  const { kind, user } = first
  const what = `${mention(user)} turned on ${joinedNames(kind, names)} in this channel.`
  const { promise } = promiseAndRow(first)
  return line(`${what} ${promise} To stop: \`/docs-visitors ${KINDS[kind].off}\``)
}

/** Writes what the bot promises with a subscription, and its row in a list of its kind. */
export function promiseAndRow(subscription: Subscription) {
  switch (subscription.kind) {
    case "digest": {
      const when = whenWords(subscription)
      return { promise: `I'll post it ${when}.`, row: `${subscription.every} ${when}` }
    }
    case "alert": {
      const place = subscription.filter === undefined ? " on the whole site" : ""
      const promise = "I'll post when daily traffic is unusually high or low."
      return { promise, row: `${watchWords(subscription)}${place}` }
    }
    case "feedback": {
      const promise = "I'll post new comments from readers and AI agents, at most once an hour."
      return { promise, row: "reader feedback" }
    }
  }
}

export function turnedOff(kind: SubscriptionKind, names: readonly string[], user: string): Message {
  return line(`${mention(user)} turned off ${joinedNames(kind, names)} in this channel.`)
}

function joinedNames(kind: SubscriptionKind, names: readonly string[]): string {
  return joinNames(kind === "digest" ? names.map((name) => `the ${name}`) : names)
}

export function alreadyOn(kind: SubscriptionKind): Message {
  return line(`*Already on in this channel.* To see it: \`/docs-visitors ${KINDS[kind].list}\``)
}

export function nothingToTurnOff(kind: SubscriptionKind): Message {
  return line(`*Nothing to turn off.* To see what is on: \`/docs-visitors ${KINDS[kind].list}\``)
}

export function tooManyAlerts(most: number): Message {
  return line(
    `*A channel can have at most ${most} alerts.* Turn one off first: \`/docs-visitors alert list\` shows them.`,
  )
}

export function subscriptionEnded(what: string, channel: string, why: string): Message {
  return line(
    `*No more ${what} in <#${channel}>*: ${why}. You can turn it on again in a channel where I can post.`,
  )
}

interface ListedPost {
  what: string
  project: string
  user: string
  /** Time in ms; undefined while the bot does not serve the project, which may come back. */
  dueAt: number | undefined
}

export function listOfPosts(kind: SubscriptionKind, posts: readonly ListedPost[]): Message {
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
function whenWords({ every, hour, minute, zone }: Digest): string {
  const time = `${hour % 12 || 12}:${String(minute).padStart(2, "0")} ${hour < 12 ? "AM" : "PM"}`
  const city = zone.split("/").at(-1)?.replaceAll("_", " ")
  return `${RHYTHMS[every]}at ${time} (${zone === "UTC" ? zone : `${city} time`})`
}
