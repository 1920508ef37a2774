import type { Gate } from "./access/gate.ts"
import type { Config } from "./config/config.ts"
import type { DocsApi } from "./docs/client.ts"
import { attempt } from "./listeners/answer.ts"
import { admit } from "./listeners/ask.ts"
import { isInOwnDirect, tell } from "./listeners/tell.ts"
import type { PlaceOf } from "./messages/refusals.ts"
import type { Log } from "./runtime/log.ts"
import type { IsOwnDirect } from "./slack/membership.ts"
import type { Outbound } from "./slack/web-outbound.ts"
import { currentTime } from "./store/clock.ts"
import type { Store } from "./store/script.ts"
import { answerPasses } from "./visitors/answers.ts"
import { createReadingCache } from "./visitors/cache.ts"
import { createFallback } from "./visitors/fallback.ts"
import type { GapRequestDeps } from "./visitors/gap-requests.ts"
import { createGapQuery } from "./visitors/gaps.ts"
import { limitAnalytics } from "./visitors/hour.ts"
import { createQuestions } from "./visitors/questions.ts"
import { createReadings } from "./visitors/readings.ts"
import { createVisitorsQuery } from "./visitors/report.ts"
import { scheduledPass } from "./visitors/scheduled.ts"
import { createScheduledPosts } from "./visitors/scheduled-posts.ts"
import { createShown } from "./visitors/shown.ts"

/** The parts that the visitors feature needs. */
interface VisitorsOptions {
  store: Store
  outbound: Outbound
  onBroken: (key: string, error: unknown) => void
  nameOf: (project: string) => string
  placeOf: PlaceOf
}

/**
 * Wires the visitors feature for the listeners: it stores questions, digests and alerts, and reads
 * nothing from the service.
 */
export function composeVisitors({ store, onBroken, ...rest }: VisitorsOptions) {
  return {
    ...rest,
    store,
    now: () => currentTime(store),
    shown: createShown(store.redis),
    posts: createScheduledPosts(store, onBroken),
    questions: createQuestions(store, onBroken),
  }
}

interface VisitorsWorkOptions extends VisitorsOptions, GapRequestDeps {
  config: Config
  log: Log
  docs: DocsApi
  gate: Gate
  admins: readonly string[]
  isOwnDirect: IsOwnDirect
  workWithinMs: number
  /** Returns a print of a project's service key, which identifies the key without revealing it. */
  printOf: (project: string) => string
}

/** Wires the visitors feature for the worker: it reads, ranks, renders and answers. */
export function composeVisitorsWork(options: VisitorsWorkOptions) {
  const { config, store, docs, gate, admins, nameOf, jobs, permalink } = options
  const base = composeVisitors(options)
  const limit = limitAnalytics(store, {
    perHour: config.limits.analyticsPerHour,
    timeoutMs: config.docs.timeoutMs,
    accountOf: options.printOf,
  })
  const cached = createReadingCache(store.redis, base.now)
  const readings = createReadings((...query) => docs.visitors(...query), limit, cached)
  const deps = {
    ...base,
    readings,
    ask: createVisitorsQuery(readings, base.now, nameOf),
    askGaps: createGapQuery(docs, limit, cached, { now: base.now, nameOf }),
    sendWithFallback: createFallback(store.redis),
  }
  const answering: Parameters<typeof answerPasses>[0] = {
    ...deps,
    jobs,
    permalink,
    tell: (to, message, replace) => tell(options, to, message, replace),
    isEphemeral: async (to) => (await isInOwnDirect(options, to)) === false,
    admit: (who) => admit({ gate, admins }, who),
    attempt: (who, work, unasked) => attempt({ ...options, agent: options }, who, work, unasked),
  }
  return {
    ...deps,
    passes: (stopping: AbortSignal) => ({
      posts: () => scheduledPass(deps),
      ...answerPasses(answering, stopping),
    }),
  }
}
