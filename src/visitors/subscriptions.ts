import { isDeepStrictEqual } from "node:util"
import { IANAZone } from "luxon"
import { announce } from "../asking/tell-requesters.ts"
import { DocsError, orAbsent } from "../docs-service/docs-error.ts"
import type { Context } from "../jobs/context.ts"
import { defined } from "../lib/json.ts"
import { adminsOnly } from "../messages/refused-actions.ts"
import type { Message } from "../slack/message-types.ts"
import { refusalOf } from "../slack/slack-error.ts"
import { currentTime } from "../store/script.ts"
import { FEEDBACK_LACKING, feedRange } from "./feedback-feed.ts"
import { commentKey } from "./gap-kinds.ts"
import type { Named, SubscriptionWish } from "./parse-command.ts"
import { readComments } from "./read-comments.ts"
import type { VisitorsContext } from "./read-visitors.ts"
import { orNotLoaded } from "./report-unavailable.ts"
import {
  dueAt,
  nextDue,
  postId,
  postIdsOf,
  type ScheduledPost,
  type Subscription,
  type SubscriptionKind,
  scheduledPosts,
  type Watch,
} from "./scheduled-posts.ts"
import * as notices from "./subscription-notices.ts"

const MAX_ALERTS = 10
/** Says what only admins do with feedback, and why. */
const SWITCH_FEEDBACK = "turn this on or off, because it shows what readers wrote"

/** Person who turns something on or off in a channel, for a project. */
interface Subscriber {
  channel: string
  user: string
  project: string
  /** Time zone in which a digest comes. */
  zone: string
}

/** Private answer to a change; undefined if the channel was told. */
type Answer = Promise<Message | undefined>

export function turnOn(visitors: VisitorsContext, by: Subscriber, wish: SubscriptionWish): Answer {
  const { context } = visitors
  const { channel, user, project } = by
  if (wish.kind === "feedback") return turnFeedbackOn(visitors, by)
  if (wish.kind === "subscribe") {
    const zone = IANAZone.isValidZone(by.zone) ? by.zone : "UTC"
    return add(context, channel, [{ kind: "digest", project, user, zone, ...wish.rhythm }])
  }
  const { of, filter } = wish.watched
  const watchOf = (counted: Watch["of"]): Watch => {
    return { kind: "alert", project, of: counted, user, ...defined({ filter }) }
  }
  return add(context, channel, of ? [watchOf(of)] : [watchOf("human"), watchOf("ai")])
}

/** Turns feedback on, unless the service has no comments. */
async function turnFeedbackOn({ context, readings }: VisitorsContext, by: Subscriber): Answer {
  const { admins } = context.settings.access
  const { channel, user, project } = by
  if (!admins.includes(user)) return adminsOnly(admins, SWITCH_FEEDBACK)
  const since = await currentTime(context.store)
  const period = { reader: user, project, range: feedRange(since) }
  return orNotLoaded(context, "comments", async () => {
    const read = await readComments(readings, "pending", period).catch(orAbsent)
    if (read instanceof DocsError) return FEEDBACK_LACKING
    // Known before the first look, which may be in a moment: what stands there already is not new.
    const seen = read.comments.map((comment) => commentKey(comment.id))
    return add(context, channel, [{ kind: "feedback", project, user, since, seen }])
  })
}

/**
 * Adds subscriptions of one kind to a channel. Storing comes first, so that only one of two
 * simultaneous identical wishes is announced. Unless Slack confirms the announcement, undoes it and
 * says why.
 */
async function add(
  context: Context,
  channel: string,
  wanted: readonly [Subscription, ...Subscription[]],
): Answer {
  const posts = scheduledPosts(context)
  const [first] = wanted
  const id = postId(channel, first)
  const due = nextDue(first, await currentTime(context.store))
  const before = await posts.change(id, (post) => {
    const { fresh, others } = besideWanted(post, wanted)
    const subscriptions = [...others, ...fresh]
    // If somebody wants the same again, a pending retry stays as it is.
    if (fresh.length === 0 || tooMany(subscriptions)) return undefined
    return others.length > 0 ? { set: { subscriptions } } : dueAt(due, { channel, subscriptions })
  })
  const { fresh, others } = besideWanted(before, wanted)
  if (fresh.length === 0) return notices.alreadyOn(first.kind)
  if (tooMany([...others, ...fresh])) return notices.tooManyAlerts(MAX_ALERTS)
  const names = notices.subscriptionNames(fresh, context.settings.projects.labelOf)
  const refusal = await announce(context, channel, notices.turnedOn(names, first))
  if (!refusal) return undefined
  const isFresh = (one: Subscription) => fresh.some((other) => isSame(one, other))
  // The digest that was replaced comes back.
  if (before && others.length === 0)
    await posts.change(id, (post) =>
      post?.subscriptions.every(isFresh) ? dueAt(before.due, before) : undefined,
    )
  else await remove(context, id, isFresh)
  return refusal
}

/** Returns those wanted that a post lacks, and the others in it that stay beside them. */
function besideWanted(post: ScheduledPost | undefined, wanted: readonly Subscription[]) {
  const fresh = wanted.filter((one) => !post?.subscriptions.some((other) => isSame(one, other)))
  // Alerts share a post, and feeds do; a digest replaces the one at another time.
  const others = post?.subscriptions.filter(({ kind }) => kind !== "digest") ?? []
  return { fresh, others }
}

function tooMany(subscriptions: readonly Subscription[]): boolean {
  return subscriptions.filter(({ kind }) => kind === "alert").length > MAX_ALERTS
}

/** Returns whether these are the same, whoever turned them on, and whenever. */
function isSame(one: Subscription, other: Subscription): boolean {
  const apart = { user: "", since: 0, seen: [] }
  return isDeepStrictEqual({ ...one, ...apart }, { ...other, ...apart })
}

/** Turns off what is named, in a channel. Anybody there may; only admins turn off feedback. */
export async function turnOff(
  context: Context,
  { channel, user }: Subscriber,
  kind: SubscriptionKind,
  named: Named & { project: string | undefined },
): Answer {
  const { projects, access } = context.settings
  const { admins } = access
  if (kind === "feedback" && !admins.includes(user)) return adminsOnly(admins, SWITCH_FEEDBACK)
  const ids = await scheduledPosts(context).idsOf(postIdsOf(channel, kind))
  const isMeant = (one: Subscription) => isPart(named, one)
  const ended = (await Promise.all(ids.map((id) => remove(context, id, isMeant)))).flat()
  if (ended.length === 0) return notices.nothingToTurnOff(kind)
  const words = notices.turnedOff(kind, notices.subscriptionNames(ended, projects.labelOf), user)
  const refused = await refusalOf(context.slack.outbound.post({ channel }, words))
  // If the channel cannot be told, the person is.
  return refused ? words : undefined
}

/** Returns whether everything that somebody named, if anything, is so. */
function isPart(named: object, of: object): boolean {
  return isDeepStrictEqual({ ...of, ...defined(named) }, of)
}

/** Removes subscriptions from a post, which ends with its last. Resolves to those removed. */
async function remove(
  context: Context,
  id: string,
  isMeant: (one: Subscription) => boolean,
): Promise<Subscription[]> {
  const before = await scheduledPosts(context).change(id, (post) => {
    const left = post?.subscriptions.filter((one) => !isMeant(one)) ?? []
    if (left.length === post?.subscriptions.length) return undefined
    return left.length > 0 ? { set: { subscriptions: left } } : post && { due: "never" }
  })
  return before?.subscriptions.filter(isMeant) ?? []
}

export async function listSubscriptions(
  context: Context,
  channel: string,
  kind: SubscriptionKind,
): Promise<Message> {
  const now = await currentTime(context.store)
  const { projects } = context.settings
  const posts = scheduledPosts(context)
  const ids = await posts.idsOf(postIdsOf(channel, kind))
  const found = await Promise.all(ids.map(posts.find))
  const listed = found.flatMap((post) =>
    post ? post.subscriptions.map((one) => ({ one, due: post.due })) : [],
  )
  const rows = listed.map(({ one, due }) => ({
    what: notices.promiseAndRow(one).row,
    project: projects.nameOf(one.project),
    user: one.user,
    dueAt: projects.keys.includes(one.project) ? Math.max(due, nextDue(one, now)) : undefined,
  }))
  return notices.listOfPosts(kind, rows)
}
