import type { Message } from "../../ports/message.ts"
import type { Subscription } from "../../visitors/digests/ports.ts"
import type { Rhythm } from "../../visitors/digests/rhythm.ts"
import type { Missing } from "../../visitors/report.ts"
import { line } from "../blocks.ts"
import { date, mention } from "../mrkdwn.ts"
import { cannotPostHere, type PostRefusal } from "../post-refusals.ts"
import { capital } from "./format.ts"
import { reason } from "./missing.ts"

const WHEN: Readonly<Record<Rhythm["every"], string>> = {
  daily: "every day",
  weekly: "every Monday",
  monthly: "on the first of every month",
}
const ABOUT: Readonly<Record<Rhythm["every"], string>> = {
  daily: "the last whole day",
  weekly: "the last seven whole days",
  monthly: "the last whole month",
}

/** Said in the channel, so that everybody knows where the digest comes from. */
export function subscribedMessage(subscription: Subscription): Message {
  const { user, rhythm, dueAt } = subscription
  return line(
    `${mention(user)} subscribed this channel to a ${rhythm.every} visitor digest: ${whenWords(subscription)}, covering ${ABOUT[rhythm.every]} (UTC). First one: ${date(dueAt)}. To stop it: \`/docs-visitors unsubscribe\`.`,
  )
}

/** Privately: the channel has heard of it. */
export function subscribedBeforeMessage({ rhythm, dueAt }: Subscription): Message {
  return line(
    `This channel already gets that ${rhythm.every} visitor digest. Next one: ${date(dueAt)}.`,
  )
}

export function unsubscribedMessage(user: string, ended: readonly Subscription[]): Message {
  const kinds = ended.map(({ rhythm }) => rhythm.every).join(" and ")
  return line(`${mention(user)} stopped the ${kinds} visitor digest in this channel.`)
}

export function nothingSubscribed(): Message {
  return line("This channel has no digest. To start one: `/docs-visitors subscribe weekly`.")
}

export function subscriptionsMessage(subscriptions: readonly Subscription[]): Message {
  const lines = subscriptions.map(
    (subscription) =>
      `• *${subscription.rhythm.every}*, ${whenWords(subscription)} · subscribed by ${mention(subscription.user)} · next one ${date(subscription.dueAt)}`,
  )
  return line(`*Visitor digests in this channel*\n${lines.join("\n")}`)
}

/** Above a digest. Names nobody: a mention would notify the subscriber every time. */
export function digestLine({ rhythm }: Subscription): string {
  return `${capital(rhythm.every)} digest · \`/docs-visitors subscriptions\` to manage it`
}

/** To the subscriber, when the channel does not take the digest any more. */
export function digestEnded({ channel, rhythm }: Subscription): Message {
  return line(
    `*The ${rhythm.every} visitor digest in <#${channel}> has stopped:* I can't post there anymore. To bring it back, invite me and subscribe again.`,
  )
}

/** To the subscriber, when a digest is given up. */
export function digestSkipped({ channel, rhythm, dueAt }: Subscription, why: Missing): Message {
  return line(
    `*No ${rhythm.every} visitor digest in <#${channel}> this time* (due ${date(dueAt)}): ${reason(why)}. The next one comes as planned.`,
  )
}

/** To the person who wanted to subscribe a channel the bot cannot post in: nothing was kept. */
export function cannotSubscribeMessage(refusal: PostRefusal, channel: string): Message {
  const again = "subscribe again"
  return cannotPostHere(refusal, channel, { again, unsure: again })
}

function whenWords({ rhythm, zone }: Subscription): string {
  const gaps = rhythm.gaps ? ", with what readers didn't find" : ""
  return `${WHEN[rhythm.every]} at ${timeOfDay(rhythm)} (${zone})${gaps}`
}

/** As Slack writes the time of day of the first one right behind it. */
function timeOfDay({ hour, minute }: Rhythm): string {
  return `${hour % 12 || 12}:${String(minute).padStart(2, "0")} ${hour < 12 ? "AM" : "PM"}`
}
