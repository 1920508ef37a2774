import type { DeliveryRecord } from "../delivery/delivery.ts"
import type { WebApiCall } from "../web-api/call-log.ts"
import type { Message } from "./model.ts"

/** Observable changes in the workspace, each a single fact. */
export type SlackChange =
  | { readonly type: "message_posted"; readonly message: Message }
  | { readonly type: "message_edited"; readonly message: Message; readonly previous: Message }
  | { readonly type: "message_deleted"; readonly channel: string; readonly ts: string }
  | { readonly type: "ephemeral_shown"; readonly message: Message }
  | { readonly type: "ephemeral_removed"; readonly user: string; readonly ts: string }
  | { readonly type: "home_changed"; readonly user: string }
  | { readonly type: "modal_changed"; readonly user: string }
  | { readonly type: "session_changed"; readonly channel: string; readonly threadTs: string }
  /** Change to the app's status or subscriptions as an agent. */
  | { readonly type: "agent_changed" }
  | { readonly type: "channel_changed"; readonly channel: string }
  | { readonly type: "file_shared"; readonly file: string }
  | { readonly type: "called"; readonly call: WebApiCall }
  | { readonly type: "delivered"; readonly delivery: DeliveryRecord }
  | { readonly type: "connections_changed"; readonly open: number }
  | { readonly type: "violated"; readonly violation: string }

export type ChangeListener = (change: SlackChange) => void

export interface ChangeBus {
  emit(change: SlackChange): void
  subscribe(listener: ChangeListener): () => void
}

export function createChangeBus(): ChangeBus {
  const listeners = new Set<ChangeListener>()
  return {
    emit(change) {
      for (const listener of listeners) listener(change)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}
