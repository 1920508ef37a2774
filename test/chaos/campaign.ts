import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { SCOPES } from "../../src/slack/scopes.ts"
import type { CompiledBot } from "../helpers/compiled-bot.ts"
import { startRedisServer } from "../helpers/redis-server.ts"
import { MovableClock } from "../sandbox/clock/movable-clock.ts"
import type { LocalSlack } from "../sandbox/slack/local-slack.ts"
import { eventsUrl, startOtherParties, type TestBed } from "../sandbox/test-bed.ts"
import { Crowd } from "./crowd.ts"
import { digests, subscribeAll } from "./digests.ts"
import { Fleet, type Part } from "./fleet.ts"
import { judge, type Verdict } from "./judge.ts"
import { Lives } from "./lives.ts"
import { Observer } from "./observer.ts"
import { introduce } from "./people.ts"
import { type Blow, strike } from "./strike.ts"
import { aheadMs, environment, keyOf, LEASE_MS, LYING_MS, PROJECTS } from "./timing.ts"
import { letItStorm } from "./weather.ts"

export interface CampaignOptions {
  bot: Pick<CompiledBot, "entry" | "skewed">
  requests: number
  kills: number
  seed: number
  /** Between two kills, ms on average. */
  gapMs: number
  /** May the bot read its channels? Without, an unsure post cannot be looked up. */
  history: boolean
  say?: (line: string) => void
}

export interface Outcome {
  options: CampaignOptions
  verdict: Verdict
  kills: Readonly<Record<Part, number>>
  crashes: number
  deafened: number
  struck: { slack: number; service: number; github: number }
  /**
   * Of each request that was accepted right before a kill: from the restart to its ending told, ms. The
   * agent itself takes up to 4 s of that.
   */
  recoveriesMs: readonly number[]
  violations: readonly string[]
  digests: readonly { channel: string; came: number }[]
  /** What the processes printed. */
  dir: string
}

/** Without any news for this long nothing more is to come: longer than every wait of the bot, ms. */
const SILENCE_MS = 60_000
/** A second closing reply would be posted by whoever takes over a lease. */
const AFTERMATH_MS = 2 * LEASE_MS

/** Lives through it: people ask, processes are killed, both other parties fail, all at the same time. */
export async function runCampaign(options: CampaignOptions): Promise<Outcome> {
  const dir = await mkdtemp(join(tmpdir(), "docs-agent-chaos-"))
  // Of a killed Redis the last second may be lost with "everysec", as the README says. Here nothing may.
  const clock = new MovableClock()
  clock.moveOn(aheadMs())
  await using redis = await startRedisServer(["--appendfsync", "always"])
  const { slack, docs, github, env } = await otherParties(options, clock)
  const observer = new Observer(slack)
  const fleet = new Fleet({
    redis,
    bot: options.bot,
    dir,
    env: { ...env, ...environment, REDIS_URL: redis.url, DOCS_PROJECTS: projects() },
    aheadMs: clock.aheadMs,
    onWebPort: (port) => slack.setEventsUrl(eventsUrl(port)),
  })
  try {
    await fleet.start()
    await introduce(slack)
    await subscribeAll(slack, clock)
    const weather = letItStorm({ slack, docs, github }, options.seed)
    const crowd = new Crowd({ slack, docs }, options)
    observer.cancelAtOnce(crowd.requests)
    const lives = new Lives({ slack, docs, github }, observer, crowd.requests, options)
    const asking = crowd.spread()
    const blows = await strike(fleet, { slack, docs, github }, options, crowd, asking)
    const verdict = () => judge([...crowd.requests.values()], observer, { slack, docs, github })
    await untilOver({ verdict, lives, observer, slack }, options)
    await delay(AFTERMATH_MS)
    return {
      options,
      verdict: verdict(),
      kills: fleet.kills,
      crashes: fleet.crashes,
      deafened: fleet.deafened,
      struck: weather.struck(),
      recoveriesMs: recoveries(blows, observer),
      violations: [...slack.violations],
      digests: digests(slack),
      dir,
    }
  } finally {
    await fleet[Symbol.asyncDispose]()
    await slack.close()
    await docs.close()
    await github.close()
  }
}

function otherParties(
  { history }: CampaignOptions,
  clock: MovableClock,
): Promise<Pick<TestBed, "slack" | "docs" | "github" | "env">> {
  const scopes = Object.keys(SCOPES).filter((scope) => history || !scope.endsWith(":history"))
  const now = () => clock.now() - LYING_MS
  return startOtherParties({
    clock,
    followsPulls: true,
    slack: {
      agent: "declared",
      ...(history ? {} : { scopes }),
      eventRetryDelaysMs: [300, 3000, 9000, 20_000],
      keep: 200_000,
    },
    docs: {
      now,
      projects: PROJECTS.map((id) => ({ id, key: keyOf(id), repository: `acme/${id}` })),
      requestLogSize: 1000,
    },
    // Looks are hundreds of times as frequent as in production: so is the token's hour.
    github: { now, requestsPerHour: 2_000_000 },
  })
}

function projects(): string {
  return JSON.stringify(PROJECTS.map((id) => ({ name: id, id, key: keyOf(id) })))
}

/** How long after the restart each of them was told that was not when its burst was struck, ms. */
function recoveries(blows: readonly Blow[], observer: Observer): number[] {
  return blows.flatMap(({ asked, at, restartedAt }) =>
    asked.flatMap(({ prompt }) => {
      const toldAt = observer.told(prompt).at ?? 0
      return toldAt > at ? Math.max(0, toldAt - restartedAt) : []
    }),
  )
}

/**
 * Resolves when everybody has done everything and been told of it; an event whose retry Slack still has to
 * send is a request as well. After a long silence nothing more is waited for.
 */
async function untilOver(
  campaign: { verdict: () => Verdict; lives: Lives; observer: Observer; slack: LocalSlack },
  { say }: CampaignOptions,
): Promise<void> {
  const { verdict, lives, observer, slack } = campaign
  for (;;) {
    await lives.done()
    const { accepted, followUps, lost, after, sessions } = verdict()
    const { previewLost, lifeLost, reminderLost } = after
    const open = [...lost, ...previewLost, ...lifeLost, ...reminderLost, ...sessions.notActive]
    if (open.length + slack.retriesAhead === 0) return
    if (Date.now() - observer.lastNewsAt > SILENCE_MS) return
    say?.(
      `${accepted + followUps - lost.length} of ${accepted + followUps} told, ${open.length} open`,
    )
    await delay(1000)
  }
}
