import { remember } from "../../kit/remember.ts"
import type { Core } from "../core.ts"
import type { Acknowledgement, Delivery } from "./delivery.ts"

/** Makes one delivery attempt and records it. */
export async function dispatch(core: Core, delivery: Delivery): Promise<Acknowledgement> {
  const acknowledgement = await core.transport.deliver(delivery)
  const record = { at: core.workspace.now(), delivery, acknowledgement }
  remember(core.deliveries, record, core.keep)
  core.workspace.changes.emit({ type: "delivered", delivery: record })
  return acknowledgement
}
