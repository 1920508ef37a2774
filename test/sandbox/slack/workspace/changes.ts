import type { DeliveryRecord } from "../delivery/delivery.ts"
import type { Message } from "./model.ts"

/** Observable changes in the workspace, each a single fact. `changed` is any other than these. */
export type SlackChange =
  | { readonly type: "message_posted"; readonly message: Message }
  | { readonly type: "message_edited"; readonly message: Message; readonly previous: Message }
  | { readonly type: "delivered"; readonly delivery: DeliveryRecord }
  | { readonly type: "called" | "changed" }

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
