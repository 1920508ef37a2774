import type { User } from "../../slack/index.ts"
import type { WorkspaceState } from "../../workspace/snapshot.ts"
import type { WireChannel } from "../../workspace/to-wire.ts"

export interface Model extends Omit<WorkspaceState, "users" | "channels"> {
  readonly bot: User | undefined
  readonly users: ReadonlyMap<string, User>
  readonly channels: ReadonlyMap<string, WireChannel>
}

export function modelOf(state: WorkspaceState): Model {
  return {
    ...state,
    bot: state.users.find(({ role }) => role === "bot"),
    users: new Map(state.users.map((user) => [user.id, user])),
    channels: new Map(state.channels.map((channel) => [channel.id, channel])),
  }
}

/** Returns the sandbox's time in epoch ms. */
export function nowIn({ aheadMs }: Pick<Model, "aheadMs">): number {
  return Date.now() + aheadMs
}

export function timeOf(ts: string): number {
  return Number(ts) * 1000
}
