import { createForgetting } from "./asking/forget-me.ts"
import { composeJobs } from "./compose-jobs.ts"
import { composeSlack } from "./compose-slack.ts"
import { type Config, secretsOf } from "./config/config.ts"
import { fingerprint } from "./config/secret.ts"
import { TIMING, type Timing } from "./config/timing.ts"
import { createDocsClient } from "./docs-service/docs-client.ts"
import type { Log } from "./lib/log.ts"
import { createSecretFilter } from "./lib/secret-filter.ts"
import { instrumentService, instrumentSlack } from "./operating/metrics/count-calls.ts"
import { instrumentJobs } from "./operating/metrics/count-jobs.ts"
import { createMetrics } from "./operating/metrics/metrics.ts"
import { createGitHubPulls } from "./pulls/github-client.ts"
import { type Address, connectRedis } from "./store/connect.ts"
import type { RedisClient } from "./store/script.ts"
import { createVisitorsDeps } from "./visitors/deps.ts"

const BROKEN =
  "skipped an unreadable record in Redis: another version wrote it, or it was edited by hand. Run one version everywhere, or delete the key"

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
  const timing: Timing = { ...TIMING, ...where.timing }
  /** Connection for work that Slack waits for: each command succeeds or fails within 2 s. */
  const requestRedis = connectRedis(where.address, "requests", log)
  /** Connection for the worker: commands wait until Redis is back. */
  const workerRedis = connectRedis(where.address, "worker", log)
  const broken = new Set<string>()
  const onBroken = (key: string, error: unknown) => {
    if (!broken.has(key)) log.error({ key, error }, BROKEN)
    broken.add(key)
  }
  const metrics = createMetrics()
  const nameOf = (project: string) =>
    config.docs.projects.find(({ key }) => key === project)?.name ?? "removed"
  const slackMetrics = instrumentSlack(log, metrics)
  const secrets = createSecretFilter(secretsOf(config))
  const docs = createDocsClient(config.docs, secrets, instrumentService(log, metrics))
  const slack = composeSlack(config, log, timing, secrets, slackMetrics)
  const given = {
    config,
    timing,
    dataDir: where.dataDir,
    docs,
    ...slack,
    events: instrumentJobs(log, metrics, config.docs.projects),
    onBroken,
    nameOf,
  }
  /** Dependencies of the use cases: `front` for listeners, `work` for the worker. */
  const depsOver = (redis: RedisClient) =>
    createVisitorsDeps(composeJobs(redis, { ...given, ...slack.readersOver(redis) }))
  const [front, work] = [depsOver(requestRedis), depsOver(workerRedis)]
  return {
    config,
    log,
    metrics,
    slackMetrics,
    secrets,
    requestRedis,
    workerRedis,
    slack,
    front,
    work,
    /** Access to pull requests; without `GITHUB_TOKEN`, cards only show links to them. */
    github: config.github && {
      apiUrl: config.github.apiUrl,
      tokenHash: fingerprint(config.github.token),
      pulls: createGitHubPulls({ ...config.github, timeoutMs: timing.gitHubTimeoutMs }, secrets),
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
