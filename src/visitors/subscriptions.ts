import { isDeepStrictEqual } from "node:util"
import { channelFacts } from "../asking/channel-facts.ts"
import type { Context } from "../jobs/context.ts"
import { defined } from "../lib/defined.ts"
import { cannotPostHere } from "../messages/refusals.ts"
import type { Message } from "../slack/message.ts"
import { refusalOf } from "../slack/slack-error.ts"
import type { ScheduledPost, ScheduledPosts } from "./scheduled-posts.ts"
import * as notices from "./subscription-notices.ts"

export interface Asked {
  channel: string
  user: string
  project: string
}

/** Private answer to a change; undefined if the channel was told. */
export type Answer = Promise<Message | undefined>

/** Returns whether everything that somebody named, if anything, is so. */
export function isPart(named: object, of: object): boolean {
  return isDeepStrictEqual({ ...of, ...defined(named) }, of)
}

/** Returns the posts of a channel whose ids begin so. */
export async function postsOf(posts: ScheduledPosts, prefix: string): Promise<ScheduledPost[]> {
  const found = await Promise.all((await posts.idsOf(prefix)).map(posts.find))
  return found.filter((post) => post !== undefined)
}

/** Removes the posts that are meant. Resolves to those removed. */
export async function removePosts(
  posts: ScheduledPosts,
  prefix: string,
  isMeant: (post: ScheduledPost) => boolean,
): Promise<ScheduledPost[]> {
  const removeOne = async (id: string) => {
    const before = await posts.change(id, (post) =>
      post && isMeant(post) ? { due: "never" } : undefined,
    )
    return before && isMeant(before) ? [before] : []
  }
  return (await Promise.all((await posts.idsOf(prefix)).map(removeOne))).flat()
}

export function listedPost(
  { settings: { projects } }: Context,
  { what, project, user }: { what: string; project: string; user: string },
  due: number,
): notices.ListedPost {
  const dueAt = projects.keys.includes(project) ? due : undefined
  return { what, project: projects.nameOf(project), user, dueAt }
}

/** Announces what a channel will get. Unless Slack confirms the post, undoes it and says why. */
export async function announce(
  context: Context,
  channel: string,
  words: Message,
  undo: () => Promise<unknown>,
): Answer {
  const refused = await refusalOf(context.slack.outbound.post({ channel }, words))
  if (!refused) return undefined
  await undo()
  return cannotPostHere(refused, await channelFacts(context, channel), notices.NOT_TURNED_ON)
}

/** Tells a channel what it no longer gets, or, if Slack refuses, the person who ended it. */
export async function farewell(
  { slack }: Context,
  { channel, user }: Asked,
  kind: notices.PostKind,
  { names, isAll }: { names: readonly string[]; isAll: boolean },
): Answer {
  if (names.length === 0) return isAll ? notices.noneOn(kind) : notices.noneLikeThat(kind)
  const words = notices.turnedOff(user, names)
  return (await refusalOf(slack.outbound.post({ channel }, words))) && words
}
