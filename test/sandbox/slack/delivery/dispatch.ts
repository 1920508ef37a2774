import type { Core } from "../core.ts"
import type { Acknowledgement, Delivery } from "./delivery.ts"

/** Makes one delivery attempt and records it. */
export async function dispatch(core: Core, delivery: Delivery): Promise<Acknowledgement> {
  const acknowledgement = await core.transport.deliver(delivery)
  core.deliveries.add(delivery, acknowledgement)
  return acknowledgement
}
