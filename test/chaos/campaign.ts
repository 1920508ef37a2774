import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { SCOPES } from "../../src/slack/scopes.ts"
import type { CompiledBot } from "../helpers/compiled-bot.ts"
import { type Dice, dice } from "../helpers/dice.ts"
import { startRedisServer } from "../helpers/redis-server.ts"
import type { JobPlan } from "../sandbox/docs-service/agent-job.ts"
import type { PullAction } from "../sandbox/github/pull.ts"
import { eventsUrl, SECRETS, startOtherParties, type TestBed } from "../sandbox/test-bed.ts"
import { Fleet, type Part } from "./fleet.ts"
import { judgeLosses } from "./losses.ts"
import { ask, makeUp, promptOf, type Request, somebodyIn } from "./people.ts"
import { circumstances, environment, keyOf, LEASE_MS, PROJECTS } from "./timing.ts"
import { letItStorm } from "./weather.ts"
import { type Verdict, Witness } from "./witness.ts"

export interface CampaignOptions {
  bot: Pick<CompiledBot, "entry" | "skewed">
  requests: number
  kills: number
  seed: number
  /** Between two kills, ms on average. */
  gapMs: number
  /** May the bot read its channels? Without, a post in doubt cannot be looked up. */
  history: boolean
}

export interface Outcome {
  verdict: Verdict
  kills: Readonly<Record<Part, number>>
  losses: number
  afterLoss: Readonly<Record<string, readonly string[]>>
  crashes: number
  struck: number
  violations: readonly string[]
  dir: string
}

/** Without any news for this long nothing more is to come: longer than every wait of the bot, ms. */
const SILENCE_MS = 60_000
/** A second reply would be posted by whoever takes over a lease. */
const AFTERMATH_MS = 2 * LEASE_MS
/** The workers do what must not be done twice, so they are hit most. */
const VICTIMS: readonly [Part, ...Part[]] = [
  "worker 1",
  "worker 1",
  "worker 2",
  "worker 2",
  "worker 3",
  "web",
  "redis",
]
/** Kills between two times that Redis is emptied. */
const KILLS_A_LOSS = 10
/** So many creations are known to workers that live when Redis is emptied, or as many as this time allows, ms. */
const KNOWN = 4
const KNOWN_WITHIN_MS = 12_000
/** Distance from a request's number to that of its follow-up, and on to the next of a burst. */
const FOLLOW_UPS = 10_000

const ENDINGS: readonly [JobPlan, ...JobPlan[]] = [
  { ending: "pull_request", afterMs: 1500, prAfterMs: 500 },
  { ending: "pull_request", afterMs: 500 },
  { ending: "pull_request", afterMs: 3000 },
  { ending: "no_pull_request", afterMs: 1000 },
  { ending: "failed", afterMs: 300 },
  { ending: "archived", afterMs: 2000 },
]

/** Lives through it: people ask, processes are killed, both other parties fail, all at the same time. */
export async function runCampaign(options: CampaignOptions): Promise<Outcome> {
  const dir = await mkdtemp(join(tmpdir(), "docs-agent-chaos-"))
  // Of a killed Redis the last second may be lost with "everysec"; here nothing may.
  await using redis = await startRedisServer(["--appendfsync", "always"])
  const { slack, docs, github, env } = await otherParties(options)
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
    takeBack({ slack, witness, requests }, options)
    followUp({ slack, docs, github, witness, requests }, options)
    await Promise.all([
      everybodyAsks({ slack, docs, requests }, options),
      strike(fleet, { slack, docs }, options),
    ])
    const verdict = () => witness.judge([...requests.values()], fleet.emptiedAt)
    while (verdict().lost.length + slack.retriesAhead > 0) {
      if (performance.now() - witness.lastNewsAt > SILENCE_MS) break
      await delay(500)
    }
    await delay(AFTERMATH_MS)
    return {
      verdict: verdict(),
      kills: fleet.kills,
      losses: fleet.emptiedAt.length,
      afterLoss: await judgeLosses(fleet, { docs, redis: redis.client }),
      crashes: fleet.crashes,
      struck: weather.struck(),
      violations: [...slack.violations],
      dir,
    }
  } finally {
    await fleet[Symbol.asyncDispose]()
    await Promise.all([slack.close(), docs.close(), github.close()])
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
      requestLogSize: 1000,
    },
  })
}

type Parties = Pick<TestBed, "slack" | "docs">
type Crowd = Pick<TestBed, "slack"> & { requests: Map<string, Request> }
interface Seen {
  witness: Witness
}

/** People ask, spread over the time of the kills. Resolves when the bot has it all. */
async function everybodyAsks(
  { slack, docs, requests }: Crowd & Pick<TestBed, "docs">,
  { requests: count, kills, gapMs, seed }: CampaignOptions,
): Promise<void> {
  const chance = dice(seed)
  const asking: Promise<void>[] = []
  for (let n = 1; n <= count; n += 1) {
    const request = makeUp(n, chance)
    requests.set(request.prompt, request)
    const run = chance.pick(ENDINGS)
    docs.plan({ ...run, followUp: run })
    asking.push(ask(slack, request, chance))
    await delay(chance.between(0, (2 * kills * gapMs) / count))
  }
  await Promise.all(asking)
}

/** One in ten presses *Cancel* as soon as the card is there. It may be too late. */
function takeBack({ slack, witness, requests }: Crowd & Seen, { seed }: CampaignOptions): void {
  const chance = dice(seed + 3)
  witness.onCard((prompt, card) => {
    const request = requests.get(prompt)
    if (!request || !chance.chance(0.1)) return
    void slack
      .as(request.user)
      .click(card, "cancel")
      .catch(() => {})
  })
}

/**
 * A third of them ask for more once they were told, some of them with others in a burst. Before that
 * the pull request may be merged, or get a review.
 */
function followUp(
  { slack, docs, github, witness, requests }: Crowd & Seen & Pick<TestBed, "docs" | "github">,
  { seed }: CampaignOptions,
): void {
  const chance = dice(seed + 1)
  witness.onResult((prompt, { threadTs }) => {
    const request = requests.get(prompt)
    if (!request || request.follows || !threadTs || !chance.chance(0.3)) return
    const job = docs.job(witness.jobFor(prompt) ?? "")
    const isOf = ({ repository, number }: { repository: string; number: number }) =>
      job?.prLink?.endsWith(`/${repository}/pull/${number}`)
    const pull = github.pulls().find(isOf)
    const happens = chance.between(0, 1)
    const act = (action: PullAction) => pull && github.act(pull.repository, pull.number, action)
    if (happens < 0.2) act({ do: "merge", by: "ben" })
    else if (happens < 0.4) act({ do: "review", by: "ben", state: "CHANGES_REQUESTED" })
    const inBurst = chance.chance(0.4) ? 3 : 1
    for (let n = 1; n <= inBurst; n += 1) {
      const more = promptOf(n * FOLLOW_UPS + Number(prompt.slice(-5)))
      const { channel } = request
      const user = (n > 1 && somebodyIn(channel, chance)) || request.user
      const saidAt = Date.now()
      requests.set(more, { prompt: more, user, channel, follows: request, saidAt, accepted: false })
      void slack.as(user).mention(channel, more, { thread: threadTs })
    }
  })
}

/** Kills one after another, half of them within a few ms of a creation, a message or a post. */
async function strike(
  fleet: Fleet,
  parties: Parties,
  { kills, gapMs, seed }: CampaignOptions,
): Promise<void> {
  const chance = dice(seed + 2)
  for (let n = 0; n < kills; n += 1) {
    if (n % KILLS_A_LOSS === KILLS_A_LOSS / 2) {
      await someStart(parties.docs)
      await fleet.empty()
      // Living workers have reported by then; one that dies before takes its knowledge along, as OPERATIONS says.
      await delay(circumstances.coldMs)
    }
    await delay(chance.between(0, 2 * gapMs))
    const victim = chance.pick(VICTIMS)
    if (chance.chance(0.3)) await fleet.deafen()
    // Now and then one that only just starts.
    while (chance.chance(0.9) && !fleet.isUp(victim)) await delay(20)
    if (chance.chance(0.5)) await anEffect(parties, chance)
    await fleet.kill(victim)
  }
}

/** Resolves once the workers started some of what waits, or after a while. */
async function someStart({ creations }: Parties["docs"]): Promise<void> {
  const [before, end] = [creations.length, performance.now() + KNOWN_WITHIN_MS]
  while (creations.length < before + KNOWN && performance.now() < end) await delay(50)
}

/** Resolves shortly after something took effect at one of the other parties, or after a while. */
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
  await Promise.race([happened, delay(2000)])
  for (const end of ends) end()
  await delay(chance.between(0, 8))
}

export function broken(
  { verdict, afterLoss, crashes, violations }: Outcome,
  history: boolean,
): string[] {
  const { accepted: _, told: __, saidTwice, ...others } = verdict
  const faults = {
    ...others,
    ...afterLoss,
    violations,
    // Without its history a post whose answer was lost may come twice.
    saidTwice: history ? saidTwice : [],
    crashes: crashes > 0 ? [String(crashes)] : [],
  }
  return Object.entries(faults).flatMap(([what, found]) =>
    found.length > 0 ? [`${what}: ${found.join(", ")}`] : [],
  )
}

export function report({ verdict, kills, losses, struck }: Outcome): string[] {
  const killed = Object.entries(kills).map(([part, count]) => `${part} ${count}`)
  return [
    `${verdict.told} of ${verdict.accepted} accepted requests told`,
    `killed: ${killed.join(", ")}; Redis emptied: ${losses}; ${struck} calls failed`,
  ]
}
