import type { ChangeBus } from "../workspace/changes.ts"
import type { Acknowledgement, Delivery, DeliveryRecord } from "./delivery.ts"

export interface DeliveryLog {
  readonly records: readonly DeliveryRecord[]
  add(delivery: Delivery, acknowledgement: Acknowledgement): void
}

export function createDeliveryLog(
  limit: number,
  now: () => number,
  changes: ChangeBus,
): DeliveryLog {
  const records: DeliveryRecord[] = []
  return {
    records,
    add(delivery, acknowledgement) {
      const record = { at: now(), delivery, acknowledgement }
      records.push(record)
      if (records.length > limit) records.splice(0, records.length - limit)
      changes.emit({ type: "delivered", delivery: record })
    },
  }
}
