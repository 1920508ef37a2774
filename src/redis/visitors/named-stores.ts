import type { AlertStore, Watch } from "../../visitors/alerts/ports.ts"
import type { Subscriptions } from "../../visitors/digests/ports.ts"
import type { CsvExports } from "../../visitors/export-ports.ts"
import { called, type ReadProjectNames, stored } from "../projects/names.ts"

export function namedSubscriptions(
  subscriptions: Subscriptions,
  read: ReadProjectNames,
): Subscriptions {
  return {
    ...subscriptions,
    save: async (subscription) => subscriptions.save(stored(await read(), subscription)),
    async remove(...which) {
      const [names, removed] = await Promise.all([read(), subscriptions.remove(...which)])
      return removed && called(names, removed)
    },
    async ofChannel(...place) {
      const [names, found] = await Promise.all([read(), subscriptions.ofChannel(...place)])
      return found.map((subscription) => called(names, subscription))
    },
    async claim(leaseMs) {
      const names = await read()
      const claimed = await subscriptions.claim(leaseMs)
      return claimed && { ...claimed, subscription: called(names, claimed.subscription) }
    },
    async settle(claimed, outcome) {
      const subscription = stored(await read(), claimed.subscription)
      await subscriptions.settle({ ...claimed, subscription }, outcome)
    },
  }
}

/** Something shown whose controls lead back to its question. */
interface ShownStore<T> {
  save(shown: T): Promise<string>
  load(id: string): Promise<T | undefined>
}

/** It outlives a change of its project's name: its controls are about the same project. */
export function namedShown<T extends { question: { project: string } }, S extends ShownStore<T>>(
  store: S & ShownStore<T>,
  read: ReadProjectNames,
): S {
  return {
    ...store,
    async save(shown: T) {
      return store.save({ ...shown, question: stored(await read(), shown.question) })
    },
    async load(id: string) {
      const [names, shown] = await Promise.all([read(), store.load(id)])
      return shown && { ...shown, question: called(names, shown.question) }
    },
  }
}

export function namedExports(exports: CsvExports, read: ReadProjectNames): CsvExports {
  return {
    ...exports,
    open: async (request, recipient) => exports.open(stored(await read(), request), recipient),
    async claim(leaseMs) {
      const names = await read()
      const claimed = await exports.claim(leaseMs)
      return claimed && { ...claimed, export: called(names, claimed.export) }
    },
    async append(claimed, page) {
      const [names, added] = [await read(), await exports.append(claimed, page)]
      return (
        added && {
          ...added,
          claimed: { ...added.claimed, export: called(names, added.claimed.export) },
        }
      )
    },
    async finish(claimed) {
      await exports.finish({ ...claimed, export: stored(await read(), claimed.export) })
    },
  }
}

export function namedAlerts(alerts: AlertStore, read: ReadProjectNames): AlertStore {
  const each = <T extends { watches: Watch[] }>(of: T, name: (watch: Watch) => Watch): T => ({
    ...of,
    watches: of.watches.map(name),
  })
  return {
    ...alerts,
    async of(...place) {
      const [names, found] = await Promise.all([read(), alerts.of(...place)])
      return found && each(found, (watch) => called(names, watch))
    },
    async change(before, watches, dueAt) {
      const names = await read()
      const kept = watches.map((watch) => stored(names, watch))
      return alerts.change(
        each(before, (watch) => stored(names, watch)),
        kept,
        dueAt,
      )
    },
    async claim(leaseMs) {
      const names = await read()
      const claimed = await alerts.claim(leaseMs)
      return claimed && { ...claimed, alerts: each(claimed.alerts, (one) => called(names, one)) }
    },
  }
}
