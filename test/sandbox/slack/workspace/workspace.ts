import { type JsonObject, objectsIn } from "../../kit/json.ts"
import { Listeners } from "../../kit/listeners.ts"
import type { DeliveryRecord } from "../delivery/delivery.ts"
import { createTimestamps, newId, withIds } from "./ids.ts"
import type { Channel, Message, SlackFile, Team, User, View } from "./model.ts"
import type { AgentSession } from "./sessions.ts"

/** Installation of the bot in the workspace. */
interface Installation {
  readonly appId: string
  readonly botId: string
  readonly userId: string
}

export interface People {
  readonly team: Team
  readonly bot: Installation
  readonly users: readonly User[]
  readonly channels: readonly Channel[]
}

/** Complete state of the local Slack. Only the functions of this folder change it. */
export type Workspace = ReturnType<typeof createWorkspace>

export function createWorkspace(people: People, now: () => number) {
  return {
    team: people.team,
    bot: people.bot,
    users: new Map(people.users.map((user) => [user.id, user])),
    channels: new Map(people.channels.map((channel) => [channel.id, channel])),
    messages: new Map<string, Map<string, Message>>(),
    /** Timestamps of the replies by `channel:root ts`, in order of posting. */
    threads: new Map<string, string[]>(),
    ephemerals: new Map<string, Map<string, Message>>(),
    files: new Map<string, SlackFile>(),
    homes: new Map<string, View>(),
    /** Open modal of each person. */
    modals: new Map<string, View>(),
    /** Input that wasn't submitted yet, by surface, then by `block_id/action_id`. */
    inputs: new Map<string, Map<string, JsonObject>>(),
    /** Agent sessions by `channel:thread_ts`, in order of creation. */
    sessions: new Map<string, AgentSession>(),
    /** Root URL of this server and its files, set once it listens. */
    root: { url: "" },
    changes: new Listeners<SlackChange>(),
    now,
    nextTs: createTimestamps(now),
  }
}

/** Returns the direct message between the bot and a person; opens it on first use. */
export function openDirectMessage(workspace: Workspace, userId: string): Channel {
  const botUser = workspace.bot.userId
  const open = [...workspace.channels.values()].find(
    (channel) => channel.members.has(userId) && isOwnDirectMessage(workspace, channel),
  )
  if (open !== undefined) return open
  return addConversation(workspace, { name: "", kind: "im", members: new Set([botUser, userId]) })
}

function addConversation(
  workspace: Workspace,
  people: Pick<Channel, "name" | "kind" | "members">,
): Channel {
  // Slack gives group direct messages ids like those of channels.
  const id = newId(people.kind === "im" ? "D" : "C")
  const channel: Channel = { id, ...people, topic: "", sharedWith: [], archived: false }
  workspace.channels.set(id, channel)
  workspace.changes.emit({ type: "changed" })
  return channel
}

/** Returns a user. @throws Error if there is none with this id. */
export function userOf(workspace: Workspace, id: string): User {
  const user = workspace.users.get(id)
  if (user === undefined) throw new Error(`The local Slack has no user ${id}`)
  return user
}

/** Returns a channel. @throws Error if there is none with this id. */
export function channelOf(workspace: Workspace, id: string): Channel {
  const channel = workspace.channels.get(id)
  if (channel === undefined) throw new Error(`The local Slack has no channel ${id}`)
  return channel
}

/** Opens a conversation between people only, or a group direct message that includes the bot. */
export function openConversation(
  workspace: Workspace,
  people: readonly string[],
  withBot: boolean,
): Channel {
  const members = new Set(withBot ? [...people, workspace.bot.userId] : people)
  const isGroup = members.size > 2
  const names = [...members].map((id) => userOf(workspace, id).name)
  const name = isGroup ? `mpdm-${names.join("--")}-1` : ""
  return addConversation(workspace, { name, kind: isGroup ? "mpim" : "im", members })
}

export function isOwnDirectMessage(workspace: Workspace, channel: Channel): boolean {
  return channel.kind === "im" && botIsIn(workspace, channel)
}

export function botIsIn(workspace: Workspace, channel: Channel): boolean {
  return channel.members.has(workspace.bot.userId)
}

/** Opens a modal, or publishes a Home tab, which stays the same view. */
export function showView(
  workspace: Workspace,
  user: string,
  type: View["type"],
  payload: JsonObject,
): View {
  const views = type === "home" ? workspace.homes : workspace.modals
  const known = type === "home" ? workspace.homes.get(user) : undefined
  const id = known?.id ?? newId("V")
  const hash = `${Math.floor(workspace.now() / 1000)}.${newId("", 8)}`
  const blocks = withIds(objectsIn(payload.blocks))
  const view = { id, type, user, hash, payload: { ...payload, blocks } }
  views.set(user, view)
  workspace.changes.emit({ type: "changed" })
  return view
}

export function closeModal(workspace: Workspace, user: string): void {
  workspace.modals.delete(user)
  workspace.changes.emit({ type: "changed" })
}

/** Observable changes in the workspace, each a single fact. `changed` is any other than these. */
export type SlackChange =
  | { readonly type: "message_posted"; readonly message: Message }
  | { readonly type: "message_edited"; readonly message: Message; readonly previous: Message }
  | { readonly type: "delivered"; readonly delivery: DeliveryRecord }
  | { readonly type: "called" | "changed" }
