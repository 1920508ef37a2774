import { createForgetting } from "./asking/forget-me.ts"
import { composeContext, composeLimiter } from "./compose-context.ts"
import { connectSlack } from "./compose-slack.ts"
import { type BotSettings, type Config, secretsOf } from "./config/config.ts"
import { createProjects } from "./config/projects.ts"
import { fingerprint } from "./config/secret.ts"
import { TIMING, type Timing } from "./config/timing.ts"
import { createDocsClient } from "./docs-service/docs-client.ts"
import type { Log } from "./lib/log.ts"
import { createSecretFilter } from "./lib/secret-filter.ts"
import { instrumentService, instrumentSlack } from "./operating/metrics/count-calls.ts"
import { JobReporter } from "./operating/metrics/count-jobs.ts"
import { createMetrics } from "./operating/metrics/metrics.ts"
import { GitHubPulls } from "./pulls/github-client.ts"
import { type Address, connectRedis } from "./store/connect.ts"
import { createVisitorsContext } from "./visitors/visitors-context.ts"

/** Facts about the store, mostly from `openStore`, and timings that tests replace. */
interface Circumstances {
  address: Address
  /** Folder in which workers record what they started; absent if they record nothing. */
  dataDir?: string
  timing?: Partial<Timing>
}

export type Services = ReturnType<typeof compose>

/** Builds everything that exists once per process. Disposing the result closes its connections. */
export function compose(config: Config, log: Log, where: Circumstances) {
  const projects = createProjects(config.docs.projects)
  const settings: BotSettings = { ...config, projects, timing: { ...TIMING, ...where.timing } }
  /** Connection for work that Slack waits for: each command succeeds or fails within 2 s. */
  const requestRedis = connectRedis(where.address, "requests", log)
  /** Connection for the worker: commands wait until Redis is back. */
  const workerRedis = connectRedis(where.address, "worker", log)
  const metrics = createMetrics()
  const slackMetrics = instrumentSlack(log, metrics)
  const secrets = createSecretFilter(secretsOf(config))
  const docs = createDocsClient(config.docs, secrets, instrumentService(log, metrics))
  const slack = connectSlack(settings, log, secrets, slackMetrics.called)
  const events = new JobReporter(log, metrics, projects)
  const shared = { slack, docs, settings, events, log }
  const front = composeContext(requestRedis, shared)
  const work = composeContext(workerRedis, shared)
  return {
    config,
    log,
    metrics,
    slackMetrics,
    secrets,
    requestRedis,
    workerRedis,
    slack,
    /** Contexts of the use cases: `front` for listeners, `work` for the worker. */
    front,
    work,
    frontVisitors: createVisitorsContext(front),
    workVisitors: createVisitorsContext(work),
    limiter: composeLimiter(work, where.dataDir),
    /** Access to pull requests; without `GITHUB_TOKEN`, cards only show links to them. */
    github: config.github && {
      tokenHash: fingerprint(config.github.token),
      pulls: new GitHubPulls(
        { ...config.github, timeoutMs: settings.timing.gitHubTimeoutMs },
        secrets,
      ),
    },
    // Waits for Redis on the worker's connection, so that an outage does not end it halfway.
    forgetting: createForgetting(work),
    async [Symbol.asyncDispose]() {
      await docs[Symbol.asyncDispose]()
      workerRedis.disconnect()
      requestRedis.disconnect()
    },
  }
}
