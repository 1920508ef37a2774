import { isDeepStrictEqual } from "node:util"
import { IANAZone } from "luxon"
import { defined } from "../lib/defined.ts"
import { cannotPostHere } from "../messages/refusals.ts"
import type { Message } from "../slack/message.ts"
import { refusalOf } from "../slack/slack-error.ts"
import * as alerts from "./alert-message.ts"
import { isSame, nextLook, type Watch, type Watched, watchedKinds } from "./alerts.ts"
import type { VisitorsDeps } from "./deps.ts"
import * as digests from "./digest-message.ts"
import { type Digest, nextDigest, type Rhythm } from "./digest-schedule.ts"
import { dueAt, type ScheduledPost } from "./scheduled-posts.ts"

type Asked = Pick<Digest, "channel" | "user" | "project">

/** Private answer to a change that is stored, or what is left to do: to tell the channel. */
export type Done = { ack: Message } | { work: () => Promise<Message | undefined> }

const MAX_WATCHES = 10

/** Returns the id of a digest, of which a channel has at most one per rhythm and project. */
export const digestId = (channel: string, every: Rhythm["every"], project: string) =>
  `${digestsOf(channel)}${every}:${project}`
/** Returns how the ids of a channel's digests begin, also of projects that were removed since. */
const digestsOf = (channel: string) => `digest:${channel}:`
const alertsId = (channel: string) => `alerts:${channel}`

/**
 * Stores the digest, and returns its announcement. Storing comes first, so that only one of two
 * simultaneous identical subscriptions succeeds.
 */
export async function subscribe(deps: VisitorsDeps, asked: Digest): Promise<Done> {
  const { channel, project, rhythm, user } = asked
  const wanted = { ...asked, zone: IANAZone.isValidZone(asked.zone) ? asked.zone : "UTC" }
  const due = nextDigest(rhythm, wanted.zone, await deps.now())
  const id = digestId(channel, rhythm.every, project)
  const isWanted = (was?: ScheduledPost) => isDeepStrictEqual({ ...was?.digest, user }, wanted)
  // If somebody subscribes to the same digest again, a pending retry stays as it is.
  const was = await deps.posts.change(id, (was) =>
    isWanted(was) ? undefined : dueAt(due, { channel, digest: wanted }),
  )
  if (isWanted(was)) return { ack: digests.subscribedBefore(wanted, due) }
  const before = was ? dueAt(was.due, was) : ({ due: "never" } as const)
  return announce(deps, channel, digests.subscribed(wanted, deps.labelOf), {
    ...digests.NOT_SUBSCRIBED,
    undo: () => deps.posts.change(id, (is) => (isWanted(is) ? before : undefined)),
  })
}

/** Ends digests of one rhythm or all, and of one project or all. Anybody in the channel may. */
export async function unsubscribe(
  { posts, outbound, labelOf }: VisitorsDeps,
  { channel, user }: Omit<Asked, "project">,
  kind: Rhythm["every"] | undefined,
  project?: string,
): Promise<Done> {
  const isMeant = ({ digest }: ScheduledPost) =>
    (kind ?? digest?.rhythm.every) === digest?.rhythm.every &&
    (project ?? digest?.project) === digest?.project
  const ids = await posts.idsOf(digestsOf(channel))
  const remove = async (id: string) => {
    const was = await posts.change(id, (is) => (is && isMeant(is) ? { due: "never" } : undefined))
    return was && isMeant(was) ? was : undefined
  }
  const removed = await Promise.all(ids.map(remove))
  const ended = removed.flatMap((was) => was?.digest ?? [])
  if (ended.length === 0) return { ack: kind ? digests.noSuchDigest(kind) : digests.NO_DIGEST }
  return farewell(outbound, channel, digests.unsubscribed(user, ended, labelOf))
}

export async function listDigests(deps: VisitorsDeps, channel: string) {
  const { posts, now, nameOf, projectKeys } = deps
  const at = await now()
  const dueOf = ({ project, rhythm, zone }: Digest) =>
    projectKeys.includes(project) ? nextDigest(rhythm, zone, at) : undefined
  const found = await Promise.all((await posts.idsOf(digestsOf(channel))).map(posts.find))
  const due = found
    .flatMap((was) => was?.digest ?? [])
    .map((one) => ({ one, dueAt: dueOf(one) }))
    .sort((a, b) => (a.dueAt ?? Infinity) - (b.dueAt ?? Infinity))
  return { ack: due.length === 0 ? digests.NO_DIGEST : digests.subscriptionList(due, nameOf) }
}

/** Adds alerts to a channel: stores them and returns the announcement, like `subscribe`. */
export async function turnOn(
  deps: VisitorsDeps,
  { channel, user, project }: Asked,
  { of, filter }: Watched,
): Promise<Done> {
  const wanted = (of === undefined ? watchedKinds : [of]).map(
    (kind): Watch => ({ project, of: kind, user, ...defined({ filter }) }),
  )
  const after = (was: ScheduledPost | undefined) => {
    const before = was?.watches ?? []
    const fresh = wanted.filter((one) => !before.some((other) => isSame(one, other)))
    return { fresh, watches: [...before, ...fresh] }
  }
  const id = alertsId(channel)
  const due = nextLook(await deps.now())
  const was = await deps.posts.change(id, (was) => {
    const { fresh, watches } = after(was)
    if (fresh.length === 0 || watches.length > MAX_WATCHES) return undefined
    return was ? { set: { watches } } : dueAt(due, { channel, watches })
  })
  const { fresh, watches } = after(was)
  if (fresh.length === 0) return { ack: alerts.ALERTS_ON_ALREADY }
  if (watches.length > MAX_WATCHES) return { ack: alerts.tooManyAlerts(MAX_WATCHES) }
  return announce(deps, channel, alerts.alertsOn(user, fresh), {
    ...alerts.NOT_TURNED_ON,
    undo: () => removeWatches(deps.posts, channel, (one) => fresh.some((it) => isSame(one, it))),
  })
}

/** Removes alerts from a channel. Resolves to those removed. */
async function removeWatches(
  posts: VisitorsDeps["posts"],
  channel: string,
  isMeant: (watch: Watch) => boolean,
): Promise<Watch[]> {
  const was = await posts.change(alertsId(channel), (was) => {
    const watches = was?.watches.filter((watch) => !isMeant(watch)) ?? []
    return was && (watches.length > 0 ? { set: { watches } } : { due: "never" })
  })
  return was?.watches.filter(isMeant) ?? []
}

export async function turnOff(
  { posts, outbound }: VisitorsDeps,
  { channel, user }: Asked,
  meant: Watched & { project?: string },
): Promise<Done> {
  const ended = await removeWatches(posts, channel, (watch) =>
    isDeepStrictEqual({ ...watch, ...meant }, watch),
  )
  if (ended.length === 0)
    return { ack: isDeepStrictEqual(defined(meant), {}) ? alerts.NO_ALERTS : alerts.NO_SUCH_ALERT }
  return farewell(outbound, channel, alerts.alertsOff(user, ended))
}

export async function listAlerts({ posts, nameOf, projectKeys }: VisitorsDeps, channel: string) {
  const watches = (await posts.find(alertsId(channel)))?.watches ?? []
  const listed = watches.map((one) => ({ ...one, isServed: projectKeys.includes(one.project) }))
  return { ack: listed.length === 0 ? alerts.NO_ALERTS : alerts.alertList(listed, nameOf) }
}

/** Announces what a channel will get. Unless Slack confirms the post, undoes it and says why. */
function announce(
  { outbound, channelFacts }: VisitorsDeps,
  channel: string,
  message: Message,
  { undo, ...words }: { again: string; unsure: string; undo: () => Promise<unknown> },
): Done {
  const work = async () => {
    const refused = await refusalOf(outbound.post({ channel }, message))
    if (!refused) return undefined
    await undo()
    return cannotPostHere(refused, await channelFacts(channel), words)
  }
  return { work }
}

/** Tells a channel what it no longer gets, or, if Slack refuses, the person who ended it. */
function farewell(outbound: VisitorsDeps["outbound"], channel: string, words: Message): Done {
  const work = async () => {
    const refused = await refusalOf(outbound.post({ channel }, words))
    return refused && words
  }
  return { work }
}
