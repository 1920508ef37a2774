import type { ControlSnapshot } from "../../docs-service/control.ts"
import type {
  BotFacts,
  Catalog,
  Update,
  WireAgent,
  WireChannel,
  WireMessage,
  WireSession,
  WireUser,
  WireView,
  WorkspaceState,
} from "../../workspace/wire.ts"

export interface Model {
  readonly bot: BotFacts
  readonly catalog: Catalog
  readonly users: ReadonlyMap<string, WireUser>
  readonly channels: ReadonlyMap<string, WireChannel>
  readonly messages: ReadonlyMap<string, readonly WireMessage[]>
  readonly homes: { readonly [user: string]: WireView }
  readonly modals: { readonly [user: string]: WireView }
  readonly sessions: { readonly [thread: string]: WireSession }
  readonly agent: WireAgent
  readonly service: ControlSnapshot
  readonly aheadMs: number
}

export function apply(model: Model, update: Update): Model {
  switch (update.type) {
    case "state":
      return modelOf(update.state)
    case "message":
      return { ...model, messages: withMessage(model.messages, update.message) }
    case "message_gone":
      return { ...model, messages: withoutMessage(model.messages, update.channel, update.ts) }
    case "channel":
      return { ...model, channels: new Map(model.channels).set(update.channel.id, update.channel) }
    case "home":
      return { ...model, homes: withView(model.homes, update) }
    case "modal":
      return { ...model, modals: withView(model.modals, update) }
    case "session":
      return { ...model, sessions: { ...model.sessions, [update.thread]: update.session } }
    case "agent":
      return { ...model, agent: update.agent }
    case "service":
      return { ...model, service: update.service }
    case "time":
      return { ...model, aheadMs: update.aheadMs }
  }
}

function withView(
  views: Model["homes"],
  { user, view }: { user: string; view?: WireView },
): Model["homes"] {
  const { [user]: _, ...others } = views
  return view ? { ...others, [user]: view } : others
}

export function modelOf(state: WorkspaceState): Model {
  const { bot, catalog, homes, modals, sessions, agent, service, aheadMs } = state
  return {
    bot,
    catalog,
    homes,
    modals,
    sessions,
    agent,
    service,
    aheadMs,
    messages: byChannel(state.messages),
    users: new Map(state.users.map((user) => [user.id, user])),
    channels: new Map(state.channels.map((channel) => [channel.id, channel])),
  }
}

function byChannel(messages: readonly WireMessage[]): Model["messages"] {
  const channels = new Map<string, WireMessage[]>()
  for (const message of messages.toSorted((a, b) => compareTs(a.ts, b.ts))) {
    const list = channels.get(message.channel)
    if (list) list.push(message)
    else channels.set(message.channel, [message])
  }
  return channels
}

function withMessage(messages: Model["messages"], message: WireMessage): Model["messages"] {
  const known = messages.get(message.channel) ?? []
  const others = known.filter((one) => one.ts !== message.ts)
  const before = others.findLastIndex((one) => compareTs(one.ts, message.ts) < 0)
  const list = others.toSpliced(before + 1, 0, message)
  return new Map(messages).set(message.channel, list)
}

function withoutMessage(
  messages: Model["messages"],
  channel: string | undefined,
  ts: string,
): Model["messages"] {
  const entries = [...messages].map(([id, list]): [string, readonly WireMessage[]] => {
    if (channel !== undefined && channel !== id) return [id, list]
    return [id, list.some((one) => one.ts === ts) ? list.filter((one) => one.ts !== ts) : list]
  })
  return new Map(entries)
}

/** Returns the sandbox's time in epoch ms. */
export function nowIn({ aheadMs }: Pick<Model, "aheadMs">): number {
  return Date.now() + aheadMs
}

/** Compares timestamps as text; as all have six decimals, a longer one is later. */
function compareTs(a: string, b: string): number {
  return a.length === b.length ? (a < b ? -1 : a > b ? 1 : 0) : a.length - b.length
}

export function timeOf(ts: string): number {
  return Number(ts) * 1000
}
