import type { AlertStore, LinkedReports, Watch } from "../../visitors/alerts/ports.ts"
import type { Subscriptions } from "../../visitors/digest-ports.ts"
import type { CsvExports } from "../../visitors/export-ports.ts"
import type { ShownGapsStore } from "../../visitors/gaps/ports.ts"
import type { ShownReports } from "../../visitors/ports.ts"
import { called, stored } from "../projects/named-stores.ts"
import type { ReadProjectNames } from "../projects/names.ts"

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

/** A report outlives a change of its project's name: its controls are about the same project. */
export function namedShownReports(shown: ShownReports, read: ReadProjectNames): ShownReports {
  return {
    ...shown,
    async save(report) {
      return shown.save({ ...report, question: stored(await read(), report.question) })
    },
    async load(id) {
      const [names, report] = await Promise.all([read(), shown.load(id)])
      return report && { ...report, question: called(names, report.question) }
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

export function namedShownGaps(gaps: ShownGapsStore, read: ReadProjectNames): ShownGapsStore {
  return {
    save: async (shown) => gaps.save({ ...shown, question: stored(await read(), shown.question) }),
    async load(id) {
      const [names, shown] = await Promise.all([read(), gaps.load(id)])
      return shown && { ...shown, question: called(names, shown.question) }
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

export function namedLinkedReports(linked: LinkedReports, read: ReadProjectNames): LinkedReports {
  return {
    save: async (report) =>
      linked.save({ ...report, question: stored(await read(), report.question) }),
    async load(id) {
      const [names, report] = await Promise.all([read(), linked.load(id)])
      return report && { ...report, question: called(names, report.question) }
    },
  }
}
