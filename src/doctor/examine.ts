import type { WebClient } from "@slack/web-api"
import type { Config } from "../config/config.ts"
import type { DocsApi } from "../ports/docs-api.ts"
import type { GitHubPulls } from "../ports/github.ts"
import type { Sample } from "../ports/message.ts"
import { createLastSeen } from "../redis/intake/last-seen.ts"
import type { RedisClient } from "../redis/script.ts"
import { createSessions } from "../redis/sessions/store.ts"
import type { Log } from "../runtime/log.ts"
import { createWebClient } from "../slack/client.ts"
import { type Finding, fault, isOlder, ok, warning } from "./finding.ts"
import { type GitHubFacts, judgeGitHub, readGitHub } from "./github.ts"
import { type IntakeFacts, readSocketMode } from "./intake.ts"
import { judgeMachine, type MachineFacts } from "./machine.ts"
import { judgeOperations, type OperationFacts } from "./operations.ts"
import { readOperations, readProjects } from "./projects.ts"
import { judgeService, type ProjectFacts } from "./service.ts"
import { judgeSlack, readSlack, type SlackFacts } from "./slack.ts"
import { judgeStore, readStore, type StoreFacts } from "./store.ts"

/** What the doctor looks with; the same for the command line and for Slack. */
interface Instruments {
  config: Config
  log: Log
  /** `process.versions.node` */
  node: string
  store: () => Promise<StoreFacts>
  slack: WebClient
  docs: DocsApi
  /** Absent where no token for GitHub is configured. */
  github: GitHubPulls | undefined
  /** One of each kind of message, for Slack to look at. */
  samples: readonly Sample[]
  /** Looks at this machine; absent in a running bot, which has what it needs. */
  machine?: () => Promise<MachineFacts>
  /** Absent when there is no Redis to ask. */
  redis: RedisClient | undefined
}

/** What was found by looking; nothing here judges. No field holds a secret. */
export interface Facts {
  node: string
  /** Faults of the environment. While there are any, nothing else can be looked at. */
  environment: readonly string[]
  machine?: MachineFacts
  store?: StoreFacts
  slack?: SlackFacts
  service?: readonly ProjectFacts[]
  operations?: readonly OperationFacts[]
  /** `undefined`: no token is configured. Not looked at: the property is absent. */
  github?: GitHubFacts | undefined
}

/** What a running bot lends the doctor: the connections that it works with. */
type Inside = Pick<Instruments, "config" | "log" | "slack" | "docs" | "samples"> & {
  requestRedis: RedisClient
  pulls: { github: GitHubPulls } | undefined
}

/** The look from a running bot. */
export function examineFromInside({ requestRedis: redis, pulls, ...inside }: Inside) {
  const ours = inside.config.store.kind === "embedded"
  const node = process.versions.node
  return examine({
    ...inside,
    github: pulls?.github,
    redis,
    node,
    store: () => readStore(redis, ours),
  })
}

/** Looks at everything at once and judges it. Nothing is changed and no job is spent. */
export async function examine(instruments: Instruments): Promise<Finding[]> {
  const { config, node, slack, docs, samples } = instruments
  const store = await instruments.store()
  // Redis that does not answer has been waited for once; it is not asked again.
  const redis = store.state === "answers" ? instruments.redis : undefined
  const intake = readIntake(instruments, redis)
  const surface = redis && createSessions(redis).surfaceState()
  const [slackFacts, service, operations, github, machine] = await Promise.all([
    readSlack(slack, config, { intake, samples, surface }),
    readProjects(docs, config, redis),
    readOperations(config, redis),
    readGitHub(instruments.github, config, redis),
    instruments.machine?.(),
  ])
  const looked = { store, slack: slackFacts, service, operations, github }
  const found = { ...looked, ...(machine ? { machine } : {}) }
  return judge({ node, environment: [], ...found })
}

async function readIntake(
  { config: { slack, bindAddress }, log }: Instruments,
  redis: RedisClient | undefined,
): Promise<IntakeFacts> {
  if (slack.mode === "socket")
    return readSocketMode(createWebClient(slack.appToken, slack.apiUrl, log))
  const lastSeen = redis && (await createLastSeen(redis).last())
  return {
    mode: "http",
    ...(bindAddress ? { bindAddress } : {}),
    ...(lastSeen ? { lastSeen } : {}),
  }
}

/** Facts → lines, in the order in which one would mend things. Pure. */
export function judge(facts: Facts): Finding[] {
  return [
    judgeNode(facts.node),
    ...judgeEnvironment(facts.environment),
    ...(facts.machine ? judgeMachine(facts.machine) : []),
    ...(facts.store ? judgeStore(facts.store) : []),
    ...(facts.slack ? judgeSlack(facts.slack) : []),
    ...(facts.service ? judgeService(facts.service) : []),
    ...(facts.operations ? judgeOperations(facts.operations) : []),
    ...("github" in facts ? judgeGitHub(facts.github) : []),
  ]
}

/** The floor is that of the HTTP client and the compiler's target; see `engines`. */
const OLDEST_NODE = [20, 19] as const
/** Older lines get no security fixes any more. */
const SUPPORTED_NODE = [22, 0] as const

function judgeNode(version: string): Finding {
  const says = `Node ${version}`
  if (isOlder(version, OLDEST_NODE)) {
    const next = `Install Node ${OLDEST_NODE.join(".")} or newer; 24 is recommended.`
    return fault("node", `${says} is too old`, next)
  }
  if (isOlder(version, SUPPORTED_NODE))
    return warning("node", `${says} no longer gets security fixes`, "Move to Node 24.")
  return ok("node", says)
}

function judgeEnvironment(faults: readonly string[]): Finding[] {
  if (faults.length === 0) return [ok("environment", "All settings are valid")]
  const next =
    "Set it in the environment; .env.example explains each setting. Everything else is checked once the settings are complete."
  return faults.map((says) => fault("environment", says, next))
}
