import type { DeliveryRecord } from "../delivery/delivery.ts"
import type { Message } from "./model.ts"

/** Observable changes in the workspace, each a single fact. `changed` is any other than these. */
export type SlackChange =
  | { readonly type: "message_posted"; readonly message: Message }
  | { readonly type: "message_edited"; readonly message: Message; readonly previous: Message }
  | { readonly type: "delivered"; readonly delivery: DeliveryRecord }
  | { readonly type: "called" | "changed" }
