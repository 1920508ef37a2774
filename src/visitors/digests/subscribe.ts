import { orSlackError, SlackError } from "../../errors/slack-error.ts"
import type { Message } from "../../ports/message.ts"
import type { Outbound } from "../../ports/outbound.ts"
import type { Clock } from "../../runtime/clock.ts"
import type { Subscription, Subscriptions } from "./ports.ts"
import { every, isZone, type Rhythm } from "./rhythm.ts"

/** What to write in a channel about its digests. The views decide the words. */
interface SubscriptionViews {
  subscribed(subscription: Subscription): Message
  unsubscribed(user: string, ended: readonly Subscription[]): Message
}

interface DigestsDeps {
  subscriptions: Subscriptions
  outbound: Outbound
  views: SubscriptionViews
  now: Clock
}

interface Subscriber {
  team: string
  channel: string
  user: string
  project: string
  /** IANA name from their profile. */
  zone: string
}

/**
 * Subscribes a channel. It is said in the channel first: so everybody there knows, and a channel the
 * bot cannot post in is found out now and not next Monday.
 * One that is just like the present one is not said once more.
 * @returns Slack's refusal, when there is one, or the present one
 */
export async function subscribe(
  { subscriptions, outbound, views, now }: DigestsDeps,
  { team, channel, user, project, zone }: Subscriber,
  rhythm: Rhythm,
): Promise<SlackError | Subscription | undefined> {
  const known = isZone(zone) ? zone : "UTC"
  const same = (one: Subscription) =>
    one.project === project && one.zone === known && isSameRhythm(one.rhythm, rhythm)
  const present = (await subscriptions.ofChannel(team, channel)).find(same)
  if (present) return present
  // Its clock is two megabytes that most processes never have a use for.
  const { nextDigest } = await import("./schedule.ts")
  const dueAt = nextDigest(rhythm, known, await now())
  const subscription = { team, channel, user, project, zone: known, rhythm, dueAt }
  const said = await outbound.post({ channel }, views.subscribed(subscription)).catch(orSlackError)
  if (said instanceof SlackError) return said
  await subscriptions.save(subscription)
  return undefined
}

function isSameRhythm(one: Rhythm, other: Rhythm): boolean {
  const { every, hour, minute, gaps } = one
  return (
    every === other.every && hour === other.hour && minute === other.minute && gaps === other.gaps
  )
}

/** Ends one digest of a channel, or all of them. Anybody who may use the bot there may do so. */
export async function unsubscribe(
  { subscriptions, outbound, views }: DigestsDeps,
  { team, channel, user }: Pick<Subscriber, "team" | "channel" | "user">,
  kind: Rhythm["every"] | undefined,
): Promise<{ ended: Subscription[]; said: boolean }> {
  const kinds = kind === undefined ? every : [kind]
  const removed = await Promise.all(kinds.map((name) => subscriptions.remove(team, channel, name)))
  const ended = removed.filter((subscription) => subscription !== undefined)
  if (ended.length === 0) return { ended, said: false }
  const said = await outbound.post({ channel }, views.unsubscribed(user, ended)).catch(orSlackError)
  return { ended, said: !(said instanceof SlackError) }
}
