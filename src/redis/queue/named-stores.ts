import type { QueueStore } from "../../jobs/queue-ports.ts"
import { projectOf, renamedQueue } from "../../jobs/queues.ts"
import { called, stored } from "../projects/named-stores.ts"
import type { ProjectNames, ReadProjectNames } from "../projects/names.ts"
import type { SlotStore } from "./slots.ts"

/** A queue as the stores call it. */
function storedQueue(names: ProjectNames, queue: string): string {
  return renamedQueue(queue, names.storedAs)
}

export function namedQueue(queue: QueueStore, read: ReadProjectNames): QueueStore {
  return {
    ...queue,
    /** What is not configured here is another process' business, or nobody's. */
    async busy() {
      const [names, busy] = await Promise.all([read(), queue.busy()])
      const known = busy.filter((queue) => names.stored.includes(projectOf(queue)))
      return known.map((queue) => renamedQueue(queue, names.nameOf))
    },
    facts: async (name) => queue.facts(storedQueue(await read(), name)),
    pause: async (name) => queue.pause(storedQueue(await read(), name)),
    resume: async (project) => queue.resume((await read()).storedAs(project)),
  }
}

export function namedSlots(slots: SlotStore, read: ReadProjectNames): SlotStore {
  return {
    ...slots,
    peek: async (queue) => slots.peek(storedQueue(await read(), queue)),
    async reserve(queue, token) {
      const names = await read()
      const grant = await slots.reserve(storedQueue(names, queue), token)
      return "waitMs" in grant ? grant : { ...grant, job: called(names, grant.job), queue }
    },
    async settle({ job, queue }, ...rest) {
      const names = await read()
      const inStore = { job: stored(names, job), queue: storedQueue(names, queue) }
      await slots.settle(inStore, ...rest)
    },
    sweep: async (queue) => slots.sweep(storedQueue(await read(), queue)),
    live: async (queue) => slots.live(storedQueue(await read(), queue)),
    async reseed(queue, own) {
      const names = await read()
      const known = own.map((one) => ({ ...one, job: stored(names, one.job) }))
      return slots.reseed(storedQueue(names, queue), known)
    },
  }
}
