import type { Message } from "../../ports/message.ts"
import type { Subscription } from "../../visitors/ports.ts"
import type { Missing } from "../../visitors/report.ts"
import type { Rhythm } from "../../visitors/rhythm.ts"
import { line } from "../blocks.ts"
import { date, mention } from "../mrkdwn.ts"
import { cannotPostHere, type PostRefusal } from "../refusals.ts"
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
    `${mention(user)} subscribed this channel to the docs visitors: ${whenWords(subscription)}, about ${ABOUT[rhythm.every]} in UTC. The first one comes ${date(dueAt)}. \`/docs-visitors unsubscribe\` ends it.`,
  )
}

export function unsubscribedMessage(user: string, ended: readonly Subscription[]): Message {
  const kinds = ended.map(({ rhythm }) => rhythm.every).join(" and ")
  return line(`${mention(user)} ended the ${kinds} digest of the docs visitors in this channel.`)
}

export function nothingSubscribed(): Message {
  return line("No digest comes to this channel. `/docs-visitors subscribe weekly` starts one.")
}

export function subscriptionsMessage(subscriptions: readonly Subscription[]): Message {
  const lines = subscriptions.map(
    (subscription) =>
      `• *${subscription.rhythm.every}*, ${whenWords(subscription)}, subscribed by ${mention(subscription.user)}; next ${date(subscription.dueAt)}`,
  )
  return line(`Digests of the docs visitors in this channel:\n${lines.join("\n")}`)
}

/** Above a digest. Names nobody: a mention would ring at the subscriber's every time. */
export function digestLine({ rhythm }: Subscription): string {
  return `The ${rhythm.every} digest · \`/docs-visitors subscriptions\` tells where it comes from`
}

/** To the subscriber, when the channel does not take the digest any more. */
export function digestEnded({ channel, rhythm }: Subscription): Message {
  return line(
    `The ${rhythm.every} digest of the docs visitors in <#${channel}> has ended: I cannot post there any more. Invite me again and subscribe anew to bring it back.`,
  )
}

/** To the subscriber, when a digest is given up. */
export function digestSkipped({ channel, rhythm, dueAt }: Subscription, why: Missing): Message {
  return line(
    `The ${rhythm.every} digest of the docs visitors in <#${channel}>, due ${date(dueAt)}, is left out: ${reason(why)}. The next one comes as planned.`,
  )
}

/** To the person who wanted to subscribe a channel the bot cannot post in: nothing was kept. */
export function cannotSubscribeMessage(refusal: PostRefusal): Message {
  return cannotPostHere(refusal, "subscribe again", "subscribe again")
}

function whenWords({ rhythm, zone }: Subscription): string {
  const time = [rhythm.hour, rhythm.minute].map((part) => String(part).padStart(2, "0")).join(":")
  return `${WHEN[rhythm.every]} at ${time} (${zone})`
}
