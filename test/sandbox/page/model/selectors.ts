import type { User } from "../../slack/index.ts"
import type { WireChannel, WireMessage } from "../../workspace/to-wire.ts"
import type { Model } from "./model.ts"

export interface ThreadSummary {
  readonly count: number
  readonly people: readonly string[]
  readonly latest: string
}

export function channelsOf(model: Model, me: string): WireChannel[] {
  return [...model.channels.values()]
    .filter((channel) => channel.kind !== "im" && channel.members.includes(me))
    .toSorted((a, b) => Number(a.archived) - Number(b.archived) || (a.name < b.name ? -1 : 1))
}

/** Returns a conversation's name as this person sees it: a group direct message has its members'. */
export function nameOf({ users }: Model, { kind, name, members }: WireChannel, me: string): string {
  if (kind === "im") return "Docs Agent"
  if (kind !== "mpim") return name
  return members.flatMap((id) => (id === me ? [] : (users.get(id)?.realName ?? id))).join(", ")
}

/** Returns whether Slack would show this person a message box there. */
export function mayWrite(channel: WireChannel, me: string): boolean {
  return !channel.archived && channel.members.includes(me)
}

export function botChannel(model: Model, me: string): WireChannel | undefined {
  return [...model.channels.values()].find(
    (channel) => channel.kind === "im" && channel.members.includes(me),
  )
}

/** Returns whether the app is an agent for this person, with a Stop button: not for guests. */
export function isAgentFor({ agent, users }: Pick<Model, "agent" | "users">, me: string): boolean {
  return agent.surface === "declared" && users.get(me)?.role !== "guest"
}

export function people(model: Model): User[] {
  return [...model.users.values()].filter((user) => user.role !== "bot")
}

export function rootsIn(model: Model, channel: string, me: string): WireMessage[] {
  return visible(model, channel, me).filter((message) => message.threadTs === undefined)
}

export function threadIn(model: Model, channel: string, root: string, me: string): WireMessage[] {
  return visible(model, channel, me).filter(
    (message) => message.ts === root || message.threadTs === root,
  )
}

export function messageAt(
  model: Model,
  me: string,
  { channel, ts }: { channel: string; ts: string },
): WireMessage | undefined {
  if (!model.channels.get(channel)?.members.includes(me)) return undefined
  return visible(model, channel, me).find((message) => message.ts === ts)
}

function visible(model: Model, channel: string, me: string): WireMessage[] {
  return model.messages.filter(
    (message) =>
      message.channel === channel && (message.visibleTo === undefined || message.visibleTo === me),
  )
}

export function threadsIn(model: Model, channel: string): ReadonlyMap<string, ThreadSummary> {
  const threads = new Map<string, ThreadSummary>()
  for (const { channel: place, threadTs, user, ts, visibleTo } of model.messages) {
    if (place !== channel || threadTs === undefined || visibleTo !== undefined) continue
    const known = threads.get(threadTs)
    const people = known?.people.includes(user) ? known.people : [...(known?.people ?? []), user]
    threads.set(threadTs, { count: (known?.count ?? 0) + 1, people, latest: ts })
  }
  return threads
}
