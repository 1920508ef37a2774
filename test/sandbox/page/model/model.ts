import { createContext } from "preact"
import { useContext, useState } from "preact/hooks"
import type { User } from "../../slack/index.ts"
import type { WireChannel, WorkspaceState } from "../../workspace/to-wire.ts"
import type { ViewState } from "./view-state.ts"

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

export interface Page {
  readonly model: Model
  readonly view: ViewState
  /** Shows something else; what `next` lacks stays. */
  readonly show: (next: Partial<ViewState>) => void
  readonly notify: (text: string) => void
  /** Waits for an action, and notifies of its failure; resolves to whether it succeeded. */
  readonly attempt: (doing: Promise<unknown>) => Promise<boolean>
}

export const PageContext = createContext<Page | undefined>(undefined)

export function usePage(): Page {
  const page = useContext(PageContext)
  if (page === undefined) throw new Error("This part belongs inside a PageContext")
  return page
}

/** Returns a way to attempt an action, and whether one is in progress. */
export function useBusyAttempt() {
  const { attempt } = usePage()
  const [busy, setBusy] = useState(false)
  async function attemptBusily(doing: Promise<unknown>): Promise<boolean> {
    setBusy(true)
    const succeeded = await attempt(doing)
    setBusy(false)
    return succeeded
  }
  return { busy, attempt: attemptBusily }
}
