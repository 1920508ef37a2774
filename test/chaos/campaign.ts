import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { SCOPES } from "../../src/slack/scopes.ts"
import type { CompiledBot } from "../helpers/compiled-bot.ts"
import { type Dice, dice } from "../helpers/dice.ts"
import { startRedisServer } from "../helpers/redis-server.ts"
import { eventsUrl, SECRETS, startOtherParties, type TestBed } from "../sandbox/test-bed.ts"
import { followUp, resume, takeBack } from "./crowd.ts"
import { Fleet, type Part } from "./fleet.ts"
import { judge } from "./judge.ts"
import { judgeLosses } from "./losses.ts"
import { ask, makeUp, type Request } from "./people.ts"
import { CAMPAIGN, ENDINGS, environment, keyOf, LEASE_MS, PROJECTS } from "./timing.ts"
import { letItStorm } from "./weather.ts"
import { Witness } from "./witness.ts"

export interface CampaignOptions {
  bot: CompiledBot
  requests: number
  kills: number
  seed: number
  /** Average time between two kills, in ms. */
  gapMs: number
  /** True if the bot may read channels; without that, it can't look up a post in doubt. */
  history: boolean
  /** True if Redis is emptied now and then, which takes away what waits or runs at that moment. */
  losses: boolean
}

/**
 * Time in ms without news after which nothing more can happen. The bot's own waits end within 30 s;
 * on a starved machine, processes that start were seen to need 50 s for their first call to Slack.
 */
const SILENCE_MS = 120_000
/** Interval of the looks at whether everybody was told. */
const LOOK_MS = 500
/** Time in ms in which a process that takes over a lease would post a second reply. */
const AFTERMATH_MS = 2 * LEASE_MS
/** Processes to kill; mostly workers, which do what must not happen twice. */
const VICTIMS: readonly [Part, ...Part[]] = [
  "worker 1",
  "worker 1",
  "worker 2",
  "worker 2",
  "worker 3",
  "web",
  "redis",
]
/** Number of kills from one emptying of Redis to the next. */
const KILLS_A_LOSS = 10
/** Time limit in ms for the effect that a kill waits for. */
const AN_EFFECT_MS = 2000
/** Creations that workers know of before Redis is emptied, and time limit in ms for that. */
const KNOWN = 4
const KNOWN_WITHIN_MS = 12_000

/** Runs a campaign: people make requests while processes are killed and both services fail. */
export async function runCampaign(options: CampaignOptions) {
  const dir = await mkdtemp(join(tmpdir(), "docs-agent-chaos-"))
  // Redis must lose nothing when killed; with "everysec" it may lose the last second.
  await using redis = await startRedisServer(["--appendfsync", "always"])
  await using parties = await otherParties(options)
  const { slack, docs, github, env } = parties
  const witness = new Witness({ slack, docs })
  const fleet = new Fleet({
    redis,
    bot: options.bot,
    dir,
    env: { ...env, ...environment, REDIS_URL: redis.url },
    onWebPort: (port) => slack.setEventsUrl(eventsUrl(port)),
  })
  try {
    await fleet.start()
    const weather = letItStorm({ slack, docs }, options.seed)
    const requests = new Map<string, Request>()
    resume({ slack })
    takeBack({ slack, witness, requests }, options.seed)
    followUp({ slack, docs, github, witness, requests }, options.seed)
    await Promise.all([
      everybodyAsks({ slack, docs, requests }, options),
      strike(fleet, { slack, docs }, options),
    ])
    const verdict = () =>
      judge({ ...witness.seen(), requests: [...requests.values()], losses: fleet.losses })
    const isOver = () =>
      verdict().lost.length + slack.retriesAhead() === 0 ||
      performance.now() - witness.lastNewsAt > SILENCE_MS
    // A result leads to follow-ups, which count as lost only once the bot has accepted them.
    for (let calm = 0; calm < AFTERMATH_MS; calm = isOver() ? calm + LOOK_MS : 0)
      await delay(LOOK_MS)
    return {
      made: requests.size,
      verdict: verdict(),
      kills: fleet.kills,
      afterLoss: await judgeLosses(fleet, { docs, redis: redis.client }),
      crashes: fleet.crashes,
      struck: weather.struck(),
      violations: [...slack.violations],
      dir,
    }
  } finally {
    await fleet[Symbol.asyncDispose]()
  }
}

function otherParties({ history }: CampaignOptions) {
  const scopes = Object.keys(SCOPES).filter((scope) => history || !scope.endsWith(":history"))
  return startOtherParties({
    followsPulls: true,
    slack: { scopes, eventRetryDelaysMs: [300, 3000, 9000, 20_000], keep: 200_000 },
    docs: {
      projects: [
        ...PROJECTS.map((id) => ({ id, key: keyOf(id), repository: `acme/${id}` })),
        { id: SECRETS.project, key: SECRETS.apiKey, repository: "acme/docs" },
      ],
    },
  })
}

type Parties = Pick<TestBed, "slack" | "docs">

/** Makes requests over the time of the kills. Resolves when the bot has accepted them all. */
async function everybodyAsks(
  { slack, docs, requests }: Parties & { requests: Map<string, Request> },
  { requests: count, seed, ...options }: CampaignOptions,
): Promise<void> {
  const chance = dice(seed)
  const asking: Promise<void>[] = []
  for (let n = 1; n <= count; n += 1) {
    const request = makeUp(n, chance)
    requests.set(request.prompt, request)
    const run = chance.pick(ENDINGS)
    docs.plan({ ...run, followUp: run })
    asking.push(ask(slack, request, chance))
    await delay(chance.between(0, (2 * expectedMs(options)) / count))
  }
  await Promise.all(asking)
}

/** Returns how long the kills take, so that people ask before and after every emptying of Redis. */
function expectedMs({ kills, gapMs, losses }: Pick<CampaignOptions, "kills" | "gapMs" | "losses">) {
  const killsMs = kills * (gapMs + AN_EFFECT_MS / 2)
  return losses ? killsMs + (kills / KILLS_A_LOSS) * (KNOWN_WITHIN_MS + CAMPAIGN.coldMs) : killsMs
}

/** Kills processes one after another, half of them within ms of a creation, a message or a post. */
async function strike(
  fleet: Fleet,
  parties: Parties,
  { kills, gapMs, seed, losses }: CampaignOptions,
): Promise<void> {
  const chance = dice(seed + 2)
  for (let n = 0; n < kills; n += 1) {
    if (losses && n % KILLS_A_LOSS === KILLS_A_LOSS / 2) {
      await someStart(parties.docs)
      await fleet.empty()
      // Surviving workers have reported by then; what a killed one knew is lost (OPERATIONS).
      await delay(CAMPAIGN.coldMs)
    }
    await delay(chance.between(0, 2 * gapMs))
    const victim = chance.pick(VICTIMS)
    if (chance.chance(0.3)) await fleet.deafen()
    // Sometimes kills a process that is still starting.
    while (chance.chance(0.9) && !fleet.isUp(victim)) await delay(20)
    if (chance.chance(0.5)) await anEffect(parties, chance)
    await fleet.kill(victim)
  }
}

/** Resolves when the workers have started some of the waiting jobs, or after KNOWN_WITHIN_MS. */
async function someStart({ creations }: Parties["docs"]): Promise<void> {
  const [before, end] = [creations.length, performance.now() + KNOWN_WITHIN_MS]
  while (creations.length < before + KNOWN && performance.now() < end) await delay(50)
}

/** Resolves shortly after a request takes effect at either service, or after AN_EFFECT_MS. */
async function anEffect({ slack, docs }: Parties, chance: Dice): Promise<void> {
  const isWork = chance.chance(0.5)
  const ends: (() => void)[] = []
  const happened = new Promise<void>((resolve) => {
    ends.push(
      docs.subscribe((event) => {
        if (isWork && event.type === "request" && event.request.kind !== "get") resolve()
      }),
      slack.subscribe((change) => {
        if (!isWork && change.type === "message_posted" && change.message.botId) resolve()
      }),
    )
  })
  await Promise.race([happened, delay(AN_EFFECT_MS)])
  for (const end of ends) end()
  await delay(chance.between(0, 8))
}
