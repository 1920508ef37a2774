import { randomUUID } from "node:crypto"
import { orSlackError, SlackError } from "../../errors/slack-error.ts"
import type { Message } from "../../ports/message.ts"
import type { Outbound } from "../../ports/outbound.ts"
import type { Clock } from "../../runtime/clock.ts"
import { defined } from "../../runtime/defined.ts"
import { addDays } from "../day.ts"
import { lastClosed, nextLook } from "./look.ts"
import {
  type AlertStore,
  type ChannelAlerts,
  type Watch,
  type WatchedKind,
  watchedKinds,
} from "./ports.ts"

/** What somebody wants to hear of, or no more: what is not named is all of it. */
export interface AlertChoice {
  of?: WatchedKind
  filter?: string
}

/** What to write in a channel about its alerts. The views decide the words. */
interface TurnViews {
  on(user: string, watches: readonly Watch[]): Message
  off(user: string, watches: readonly Watch[]): Message
}

interface TurnDeps {
  alerts: AlertStore
  outbound: Outbound
  now: Clock
}

interface Turner {
  team: string
  channel: string
  user: string
  project: string
}

/** With more alerts than this nobody in the channel would read any. */
const MOST_WATCHES = 10
/** Somebody else may change the same channel's alerts at the same moment. */
const ATTEMPTS = 5

type TurnedOn =
  | { kind: "on"; watches: Watch[] }
  | { kind: "on_already" }
  | { kind: "too_many"; most: number }
  | { kind: "refused"; refusal: SlackError }

/**
 * Watches more in a channel, from yesterday on: somebody who turns it on because of what they just
 * saw is told of that too. Said in the channel first, so that everybody there knows, and a channel
 * the bot cannot post in is found out now.
 */
export async function turnOn(
  { alerts, outbound, now }: TurnDeps,
  turner: Turner,
  { of, filter }: AlertChoice,
  views: Pick<TurnViews, "on">,
): Promise<TurnedOn> {
  const { team, channel, user, project } = turner
  const last = lastClosed(await now())
  const kinds = of === undefined ? watchedKinds : [of]
  let said = false
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = (await alerts.of(team, channel)) ?? none(team, channel)
    const isNew = (kind: WatchedKind) =>
      !before.watches.some((one) => isSame(one, { project, of: kind, filter }))
    const watches = kinds
      .filter(isNew)
      .map((kind) => defined({ id: randomUUID(), project, of: kind, filter, user, from: last }))
    if (watches.length === 0) return { kind: "on_already" }
    if (before.watches.length + watches.length > MOST_WATCHES)
      return { kind: "too_many", most: MOST_WATCHES }
    if (!said) {
      const posted = await outbound.post({ channel }, views.on(user, watches)).catch(orSlackError)
      if (posted instanceof SlackError) return { kind: "refused", refusal: posted }
      said = true
    }
    const firstLook = nextLook(addDays(last, -1))
    if (await alerts.change(before, [...before.watches, ...watches], firstLook))
      return { kind: "on", watches }
  }
  throw new Error("The alerts of this channel are being changed all the time")
}

/** Ends what is named. Anybody who may use the bot there may do so. @returns what was on, and whether it was said */
export async function turnOff(
  { alerts, outbound }: Pick<TurnDeps, "alerts" | "outbound">,
  { team, channel, user }: Pick<Turner, "team" | "channel" | "user">,
  { of, filter }: AlertChoice,
  views: Pick<TurnViews, "off">,
): Promise<{ ended: Watch[]; said: boolean }> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = await alerts.of(team, channel)
    const isMeant = (watch: Watch) =>
      (of === undefined || watch.of === of) && (filter === undefined || watch.filter === filter)
    const ended = before?.watches.filter(isMeant) ?? []
    if (!before || ended.length === 0) return { ended: [], said: false }
    const kept = before.watches.filter((watch) => !isMeant(watch))
    if (!(await alerts.change(before, kept, 0))) continue
    const said = await outbound.post({ channel }, views.off(user, ended)).catch(orSlackError)
    return { ended, said: !(said instanceof SlackError) }
  }
  throw new Error("The alerts of this channel are being changed all the time")
}

function isSame(a: Watch, b: Pick<Watch, "project" | "of"> & { filter: string | undefined }) {
  return a.project === b.project && a.of === b.of && a.filter === b.filter
}

function none(team: string, channel: string): ChannelAlerts {
  return { team, channel, watches: [], state: {}, asRead: "" }
}
