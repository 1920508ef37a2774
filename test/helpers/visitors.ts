import type { App } from "@slack/bolt"
import { beforeAll, beforeEach } from "vitest"
import { secret } from "../../src/config/secret.ts"
import { DocsClient } from "../../src/docs/client.ts"
import { limitAnalytics } from "../../src/docs/limited-analytics.ts"
import { limitGaps } from "../../src/docs/limited-gaps.ts"
import { visitorsAction } from "../../src/handlers/visitors/actions.ts"
import { openReport } from "../../src/handlers/visitors/alerts.ts"
import { visitorsCommand } from "../../src/handlers/visitors/command.ts"
import type { VisitorsDeps } from "../../src/handlers/visitors/deps.ts"
import { useGaps } from "../../src/handlers/visitors/gaps.ts"
import { connectRedis } from "../../src/redis/connection/connect.ts"
import type { RedisClient } from "../../src/redis/script.ts"
import { createAlerts } from "../../src/redis/visitors/alerts.ts"
import { createAnalyticsHour } from "../../src/redis/visitors/analytics-hour.ts"
import { createCsvExports } from "../../src/redis/visitors/csv-exports.ts"
import { createDayBook, createLinkedReports } from "../../src/redis/visitors/day-book.ts"
import { createSharedReadings } from "../../src/redis/visitors/shared-readings.ts"
import { createAbsences, createShownGaps } from "../../src/redis/visitors/shown-gaps.ts"
import { createFallbackMemory, createShownReports } from "../../src/redis/visitors/shown-reports.ts"
import { createSubscriptions } from "../../src/redis/visitors/subscriptions.ts"
import { createLog } from "../../src/runtime/log.ts"
import { alertViews, digestViews, exportViews } from "../../src/services/visitors.ts"
import { createWebClient } from "../../src/slack/client.ts"
import { createIsOwnDirect } from "../../src/slack/own-direct.ts"
import { createOutbound } from "../../src/slack/web-outbound.ts"
import { createSecretFilter } from "../../src/text/secret-filter.ts"
import { visitorActions } from "../../src/views/visitors/action-ids.ts"
import { ALERT_REPORT } from "../../src/views/visitors/alerts.ts"
import { gapActions, shownGaps } from "../../src/views/visitors/gaps.ts"
import { alertPass } from "../../src/visitors/alerts/pass.ts"
import { digestPass } from "../../src/visitors/digests/pass.ts"
import { exportPass } from "../../src/visitors/export-pass.ts"
import { gapsForDigests } from "../../src/visitors/gaps/in-digest.ts"
import { createGapQuery } from "../../src/visitors/gaps/query.ts"
import { createVisitorsQuery } from "../../src/visitors/query.ts"
import type { ReadVisitors } from "../../src/visitors/reading-ports.ts"
import { createReadings } from "../../src/visitors/readings.ts"
import type { DocsService, DocsServiceOptions } from "../sandbox/docs-service/service.ts"
import { startDocsService } from "../sandbox/docs-service/start.ts"
import { type LocalSlack, startLocalSlack } from "../sandbox/slack/local-slack.ts"
import type { LocalSlackOptions } from "../sandbox/slack/options.ts"
import type { Message } from "../sandbox/slack/workspace/model.ts"
import { botToken, signingSecret, startHttpApp } from "./bolt-app.ts"
import { HOSTILE_PATHS } from "./hostile-paths.ts"
import { startTestRedis, type TestRedis } from "./redis.ts"

export const PROJECT = "docs-site"
/** A Friday, noon. */
export const NOON = Date.UTC(2026, 10, 20, 12)
const KEY = "svc_test_key"
/** Whose hour it is. */
export const ACCOUNT = "account"
/** Of one request; long, as other tests may hold this one up. */
const TIMEOUT_MS = 10_000

export interface VisitorsBotOptions {
  slack?: Partial<LocalSlackOptions>
  docs?: Partial<DocsServiceOptions>
  perHour?: number
  /** How long the service is waited for, ms. */
  timeoutMs?: number
}

/** One process of the bot, as far as visitors go. */
export interface Process {
  deps: VisitorsDeps
  redis: RedisClient
  /** One pass over the exports. */
  exports(): Promise<number>
  /** One pass over the digests. */
  digests(): Promise<number>
  /** One pass over the alerts. */
  alerts(): Promise<number>
}

/** The visitors feature between a local Slack and a local documentation service, on a clock by hand. */
export interface VisitorsBot extends Process {
  slack: LocalSlack
  docs: DocsService
  clock: { now: number }
  /** Another process on the same Redis. */
  another(): Process
  /** Types the command. @returns the private answer */
  ask(user: string, channel: string, words: string): Promise<Message>
  /** Uses a control and waits until everything that follows is done. @returns the message as it is then */
  use(user: string, message: Message, action: string, option?: string): Promise<Message>
  /** What this person was told last. */
  told(user: string): Message
  /** Resolves when everything that Slack was answered about is done. */
  settled(): Promise<void>
}

/** A desk for each test of the file on one Redis, emptied in between. */
export function useVisitorsBot() {
  let store: TestRedis
  const closing: (() => Promise<void>)[] = []

  beforeAll(async () => {
    store = await startTestRedis()
    return () => store.stop()
  })

  beforeEach(() => async () => {
    for (const close of closing.splice(0).reverse()) await close()
  })

  return async (options: VisitorsBotOptions = {}): Promise<VisitorsBot> => {
    const desk = await openVisitorsBot(store.url, options, closing)
    await desk.redis.flushall()
    return desk
  }
}

async function openVisitorsBot(
  url: string,
  options: VisitorsBotOptions,
  closing: (() => Promise<void>)[],
): Promise<VisitorsBot> {
  const clock = { now: NOON }
  const slack = await startLocalSlack({ signingSecret, botToken, mode: "http", ...options.slack })
  const docs = await startDocsService({
    projects: [{ id: PROJECT, key: KEY }],
    now: () => clock.now,
    analyticsPerWindow: 1_000_000,
    ...options.docs,
    visitors: { oddPaths: HOSTILE_PATHS, ...options.docs?.visitors },
  })
  const another = () => openProcess({ url, slack, docs, clock, options, closing })
  const own = another()
  const inHand = new Set<Promise<void>>()
  const app = await startHttpApp(slack, (bolt) => bind(bolt, own.deps, inHand))
  closing.push(async () => {
    await Promise.allSettled(inHand)
    const seen = [...slack.violations]
    await app.stop()
    await slack.close()
    await docs.close()
    if (seen.length > 0) throw new Error(`Slack saw what it should not:\n${seen.join("\n")}`)
  })
  const settled = async () => {
    while (inHand.size > 0) await Promise.all(inHand)
  }
  const told = (user: string) => {
    const message = slack.ephemerals(user).at(-1)
    if (message === undefined) throw new Error(`${user} was told nothing`)
    return message
  }
  return {
    ...own,
    slack,
    docs,
    clock,
    another,
    settled,
    told,
    async ask(user, channel, words) {
      const { shown } = await slack.as(user).slash(channel, "/docs-visitors", words)
      await settled()
      return shown ?? told(user)
    },
    async use(user, message, action, option) {
      const person = slack.as(user)
      await (option === undefined
        ? person.click(message, action)
        : person.select(message, action, option))
      await settled()
      const now = slack.ephemerals(user).find(({ ts }) => ts === message.ts)
      if (now === undefined) throw new Error("The message is gone")
      return now
    },
  }
}

/** What the bot's own routes do, without the question who may ask. */
function bind(bolt: App, deps: VisitorsDeps, inHand: Set<Promise<void>>): void {
  const follow = (work: Promise<void>) => {
    inHand.add(work)
    void work.catch(() => {}).finally(() => inHand.delete(work))
  }
  bolt.command("/docs-visitors", async ({ body, ack }) => {
    const { ack: answer, work } = await visitorsCommand(deps, {
      user: body.user_id,
      team: body.team_id,
      channel: body.channel_id,
      replyUrl: body.response_url,
      text: body.text,
      project: PROJECT,
      timeZone: "Europe/Paris",
    })
    await ack(answer)
    if (work) follow(work())
  })
  bolt.action(ALERT_REPORT, async ({ body, ack, payload }) => {
    await ack()
    if (body.type !== "block_actions") return
    const asker = {
      user: body.user.id,
      team: body.team?.id ?? "",
      channel: body.channel?.id ?? "",
      replyUrl: body.response_url,
    }
    follow(openReport(deps, asker, "value" in payload ? String(payload.value) : ""))
  })
  for (const action of [gapActions.share, gapActions.csv]) {
    bolt.action(action, async ({ body, ack, payload }) => {
      await ack()
      if (body.type !== "block_actions") return
      follow(
        useGaps(deps, {
          action,
          value: "value" in payload ? String(payload.value) : "",
          user: body.user.id,
          team: body.team?.id ?? "",
          channel: body.channel?.id ?? "",
          replyUrl: body.response_url,
        }),
      )
    })
  }
  for (const action of Object.values(visitorActions)) {
    bolt.action(action, async ({ body, ack, payload }) => {
      await ack()
      if (body.type !== "block_actions" || action === visitorActions.improve) return
      const value = "selected_option" in payload ? payload.selected_option?.value : undefined
      follow(
        visitorsAction(deps, {
          action,
          value: value ?? ("value" in payload ? String(payload.value) : ""),
          user: body.user.id,
          team: body.team?.id ?? "",
          channel: body.channel?.id ?? "",
          replyUrl: body.response_url,
        }),
      )
    })
  }
}

function openProcess({
  url,
  slack,
  docs,
  clock,
  options,
  closing,
}: {
  url: string
  slack: LocalSlack
  docs: DocsService
  clock: { now: number }
  options: VisitorsBotOptions
  closing: (() => Promise<void>)[]
}): Process {
  const { perHour = 100, timeoutMs = TIMEOUT_MS } = options
  const log = createLog("silent", [])
  const now = () => clock.now
  const storeClock = async () => clock.now
  const redis = connectRedis({ kind: "server", url: secret(url) }, "worker", log)
  const client = new DocsClient(
    {
      baseUrl: docs.url,
      jobPath: "/v2/agent/{projectId}/job/{jobId}",
      messagePath: undefined,
      timeoutMs,
      projects: [{ name: PROJECT, id: PROJECT, apiKey: secret(KEY), channels: new Set() }],
    },
    createSecretFilter([KEY]),
  )
  const web = createWebClient(secret(botToken), slack.apiUrl, log)
  const outbound = createOutbound(web)
  const hour = createAnalyticsHour(redis, { perHour, accountOf: () => ACCOUNT, now })
  const limited = limitAnalytics(hour, { timeoutMs })
  const visitors: ReadVisitors = (reader, project, query) =>
    limited(reader, project, () => client.visitors(project, query))
  const subjectOf = (project: string) => project
  const shared = createSharedReadings(redis, now)
  const readings = createReadings(visitors, shared, { now: storeClock, subjectOf })
  const exports = createCsvExports(redis, { now })
  const subscriptions = createSubscriptions(redis, { now })
  const ask = createVisitorsQuery(readings, storeClock)
  const fallbackMemory = createFallbackMemory(redis)
  closing.push(async () => {
    redis.disconnect()
    await client[Symbol.asyncDispose]()
  })
  const deps: VisitorsDeps = {
    outbound,
    isOwnDirect: createIsOwnDirect(web),
    ask,
    shown: createShownReports(redis),
    fallbackMemory,
    subscriptions,
    exports: { readings, hour, exports, now: storeClock },
    askGaps: createGapQuery({
      open: limitGaps(client, hour, { timeoutMs }),
      absences: createAbsences(redis, subjectOf),
      hour,
      shared: shared.gaps,
      now: storeClock,
      subjectOf,
    }),
    shownGaps: createShownGaps(redis),
    alerts: createAlerts(redis, { now }),
    linked: createLinkedReports(redis),
    now: storeClock,
  }
  const reading = { visitors, readings, exports }
  return {
    deps,
    redis,
    exports: () => exportPass({ ...reading, outbound, views: exportViews, now: storeClock }),
    alerts: () =>
      alertPass({
        alerts: deps.alerts,
        visitors,
        book: createDayBook(redis, subjectOf),
        readings,
        linked: deps.linked,
        outbound,
        views: alertViews,
      }),
    digests: () =>
      digestPass({
        subscriptions,
        ask,
        fallbackMemory,
        outbound,
        gapsFor: gapsForDigests(deps.askGaps, deps.shownGaps, shownGaps),
        views: digestViews,
      }),
  }
}
