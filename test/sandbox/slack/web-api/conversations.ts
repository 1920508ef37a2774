import { z } from "zod"
import type { Core } from "../core.ts"
import type { JsonObject } from "../json.ts"
import { channelObject } from "../workspace/api-objects.ts"
import type { Channel, ChannelKind } from "../workspace/model.ts"
import { botIsIn, openDirectMessage } from "../workspace/workspace.ts"
import { ApiError } from "./api-error.ts"
import { checkArguments, invalidArguments } from "./arguments.ts"
import { describableChannel, listableKinds } from "./channels.ts"
import { cursorAt, positionOf } from "./conversation-history.ts"
import type { Method } from "./method.ts"
import { tier2, tier3, tier4 } from "./rate-limits.ts"
import { count, flag, id } from "./schemas.ts"

const readScopes = ["channels:read", "groups:read", "im:read", "mpim:read"]

export const conversationsInfo: Method = {
  token: "bot",
  scopes: readScopes,
  limit: tier3,
  run(core, args) {
    const { channel } = checkArguments(z.object({ channel: id }), args)
    return { channel: channelObject(core.workspace, describableChannel(core, channel)) }
  },
}

const page = z.object({ cursor: z.string().optional(), limit: count.max(1000).default(100) })

export const conversationsMembers: Method = {
  token: "bot",
  scopes: readScopes,
  limit: tier4,
  run(core, args) {
    const { channel, cursor, limit } = checkArguments(page.extend({ channel: id }), args)
    const members = [...describableChannel(core, channel).members]
    const { items, next } = cut(members, cursor, limit)
    return { members: items, response_metadata: { next_cursor: next } }
  },
}

const opening = z.object({
  users: id.optional(),
  channel: id.optional(),
  return_im: flag.optional(),
})

export const conversationsOpen: Method = {
  token: "bot",
  scopes: ["im:write"],
  limit: tier3,
  run(core, args) {
    const { users = "", channel, return_im } = checkArguments(opening, args)
    const user =
      channel === undefined ? users : otherMember(core, describableChannel(core, channel))
    if (user === "") throw invalidArguments(["missing required field: users"])
    if (!core.workspace.users.has(user)) throw new ApiError("user_not_found")
    const opened = openDirectMessage(core.workspace, user)
    return { channel: return_im ? channelObject(core.workspace, opened) : { id: opened.id } }
  },
}

const listing = page.extend({
  types: z.string().default("public_channel"),
  exclude_archived: flag.default(false),
  user: id.optional(),
})

/** Every conversation of the wanted types that the bot may know of. */
export const conversationsList: Method = {
  token: "bot",
  scopes: readScopes,
  limit: tier2,
  run: (core, args) => list(core, args, () => true),
}

/** The conversations a person, or the bot if nobody is named, is a member of. */
export const usersConversations: Method = {
  token: "bot",
  scopes: readScopes,
  limit: tier3,
  run: (core, args) => {
    const member = typeof args.user === "string" ? args.user : core.workspace.bot.userId
    return list(core, args, (channel) => channel.members.has(member))
  },
}

const kindOfType: Record<string, ChannelKind> = {
  public_channel: "public",
  private_channel: "private",
  im: "im",
  mpim: "mpim",
}

function list(core: Core, args: JsonObject, wanted: (channel: Channel) => boolean): JsonObject {
  const { types, exclude_archived, cursor, limit } = checkArguments(listing, args)
  const kinds = new Set(types.split(",").map((type) => kindOfType[type.trim()]))
  const allowed = listableKinds(core)
  const channels = [...core.workspace.channels.values()].filter(
    (channel) =>
      kinds.has(channel.kind) &&
      allowed.has(channel.kind) &&
      (channel.kind === "public" || botIsIn(core.workspace, channel)) &&
      !(exclude_archived && channel.archived) &&
      wanted(channel),
  )
  const { items, next } = cut(channels, cursor, limit)
  return {
    channels: items.map((channel) => channelObject(core.workspace, channel)),
    response_metadata: { next_cursor: next },
  }
}

function cut<T>(all: readonly T[], cursor: string | undefined, limit: number) {
  const start = cursor ? positionOf(cursor) : 0
  const next = start + limit < all.length ? cursorAt(start + limit) : ""
  return { items: all.slice(start, start + limit), next }
}

function otherMember(core: Core, channel: Channel): string {
  return [...channel.members].find((member) => member !== core.workspace.bot.userId) ?? ""
}
