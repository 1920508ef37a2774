import { setTimeout as delay } from "node:timers/promises"
import { type Dice, dice } from "../helpers/dice.ts"
import type { TestBed } from "../sandbox/test-bed.ts"
import type { CampaignOptions } from "./campaign.ts"
import { burstsOf, type Crowd } from "./crowd.ts"
import type { Fleet, Part } from "./fleet.ts"
import type { Request } from "./people.ts"

/** The workers do what must not be done twice, so they are hit most. */
const VICTIMS: readonly [Part, ...Part[]] = [
  "worker 1",
  "worker 1",
  "worker 1",
  "worker 2",
  "worker 2",
  "worker 2",
  "web",
  "web",
  "redis",
]
/** What the service is asked for once. */
const WORK: ReadonlySet<string> = new Set(["create", "message", "preview"])
/** A quiet moment is waited for no longer than this, ms. */
const PATIENCE_MS = 2000

/** The last blow takes all processes of the bot at once, while work is in hand. */
const AT_ONCE: readonly Part[] = ["web", "worker 1", "worker 2"]

/** A kill right after some requests were accepted. Times in ms. */
export interface Blow {
  asked: readonly Request[]
  at: number
  /** When what was killed was started again, the last of it. */
  restartedAt: number
}

/**
 * Kills one after another. Half of them at any moment, half within a few ms of a creation, a message, a preview,
 * between an effect and the note of it, where a crash hurts most; now and then right after a burst of
 * requests. Ends with all of them at once, just when everybody has asked.
 * @returns those with a burst before them
 */
export async function strike(
  fleet: Fleet,
  otherParties: Pick<TestBed, "slack" | "docs" | "github">,
  { kills, gapMs, seed, say }: CampaignOptions,
  crowd: Crowd,
  asking: Promise<void>,
): Promise<Blow[]> {
  const chance = dice(seed + 1)
  const singles = kills - AT_ONCE.length
  const bursts = burstsOf({ kills }) - 1
  const burstsUntil = (n: number) => Math.floor((n * bursts) / singles)
  const blows: Blow[] = []
  let lastAt = Date.now()
  for (let n = 1; n <= singles; n += 1) {
    await delay(chance.between(0, 2 * gapMs) - (Date.now() - lastAt > gapMs ? gapMs / 2 : 0))
    const victim = chance.pick(VICTIMS)
    if (chance.chance(0.3)) await fleet.deafen()
    // Now and then one that only just starts.
    if (chance.chance(0.9)) await until(() => fleet.isUp(victim))
    if (burstsUntil(n) > burstsUntil(n - 1)) {
      blows.push(await blow(fleet, crowd, [victim]))
      lastAt = Date.now()
    } else {
      if (chance.chance(0.5)) await anEffect(otherParties, chance)
      lastAt = Date.now()
      await fleet.kill(victim)
    }
    if (n % 10 === 0) say?.(`${n} kills`)
  }
  await asking
  blows.push(await blow(fleet, crowd, AT_ONCE))
  return blows
}

async function blow(fleet: Fleet, crowd: Crowd, victims: readonly Part[]): Promise<Blow> {
  for (const victim of victims) await until(() => fleet.isUp(victim))
  const asked = await crowd.burst()
  const at = Date.now()
  const restarts = await Promise.all(victims.map((victim) => fleet.kill(victim)))
  return { asked, at, restartedAt: Math.max(...restarts) }
}

async function until(ready: () => boolean): Promise<void> {
  while (!ready()) await delay(20)
}

/** Resolves shortly after something took effect at one of the other parties. */
async function anEffect(
  { slack, docs, github }: Pick<TestBed, "slack" | "docs" | "github">,
  chance: Dice,
) {
  const wanted = chance.pick(["work", "work", "post", "post", "look"])
  const ends: (() => void)[] = []
  const happened = new Promise<void>((resolve) => {
    ends.push(
      docs.subscribe((event) => {
        if (wanted === "work" && event.type === "request" && WORK.has(event.request.kind)) resolve()
      }),
      slack.subscribe((change) => {
        if (wanted === "post" && change.type === "message_posted" && change.message.botId) resolve()
      }),
      github.subscribe(() => {
        if (wanted === "look") resolve()
      }),
    )
  })
  await Promise.race([happened, delay(PATIENCE_MS)])
  for (const end of ends) end()
  await delay(chance.between(0, 8))
}
