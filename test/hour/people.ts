import type { Dice } from "../helpers/dice.ts"
import type { World } from "./world.ts"

const MINUTE_MS = 60_000
const CROWD = ["U1", "U2", "U3", "U4", "U5", "U6"] as const
/** These never ask for a second thing while the first waits. */
const SINGLES = ["S1", "S2", "S3", "S4"] as const

/** Lets people ask, for ever. */
export function letPeopleAsk(world: World): void {
  const { people } = world.weather
  if (people === "always") keepBusy(world)
  else if (people === "few") trickle(world)
  else if (people === "at once") atOnce(world)
  else burst(world)
  if (people === "always" || people === "bursts") askSingly(world)
}

/** Somebody always waits: one or two people ask for a bulk whenever the queue grows short. */
function keepBusy(world: World): void {
  const { dice, ledger, timeline } = world
  const topUp = async () => {
    if (ledger.waiting.size < 60) {
      await world.ask(dice.pick(CROWD), Math.floor(dice.between(30, 80)))
      if (dice.chance(0.5)) await world.ask(dice.pick(CROWD), Math.floor(dice.between(1, 30)))
    }
    timeline.after(dice.between(1, 10) * MINUTE_MS, topUp)
  }
  timeline.after(0, topUp)
}

/** Silence, then everything at once: where a ceiling breaks first. */
function burst(world: World): void {
  const { dice, timeline } = world
  const all = async () => {
    for (const user of someOf(CROWD, dice)) await world.ask(user, Math.floor(dice.between(1, 120)))
    // Just under, at and over an hour: the boundaries of the window.
    timeline.after(dice.pick([0.95, 1, 1.01, 1.3, 2.5]) * 60 * MINUTE_MS, all)
  }
  timeline.after(0, all)
}

/** Everybody asks at one moment, and nobody again before all are served: what was told must hold. */
function atOnce(world: World): void {
  const { dice, timeline } = world
  const all = async () => {
    for (const user of CROWD) await world.ask(user, Math.floor(dice.between(0, 40)))
    await world.forecastAll()
    timeline.after(6 * 60 * MINUTE_MS, all)
  }
  timeline.after(0, all)
}

/** About sixty an hour by many people. */
function trickle(world: World): void {
  const { dice, timeline } = world
  const one = async () => {
    await world.ask(`U${Math.floor(dice.between(0, 20))}`, 1)
    timeline.after(-Math.log(1 - dice.between(0, 1)) * MINUTE_MS, one)
  }
  timeline.after(0, one)
}

function askSingly(world: World): void {
  const { dice, ledger, timeline } = world
  for (const user of SINGLES) {
    const again = async () => {
      const waits = [...ledger.waiting.values()].some((entry) => entry.user === user)
      if (!waits) await world.ask(user, 1)
      timeline.after(dice.between(3, 90) * MINUTE_MS, again)
    }
    timeline.after(dice.between(0, 60) * MINUTE_MS, again)
  }
}

function someOf<T>(list: readonly T[], dice: Dice): T[] {
  return list.filter(() => dice.chance(0.4))
}
