import { setTimeout as delay } from "node:timers/promises"
import { DOCS } from "../../sandbox/slack/seed/ids.ts"
import type { Row } from "./bench.ts"
import { Child } from "./child.ts"
import type { Costs } from "./costs.ts"
import { alone, compare } from "./rounds.ts"

interface JobCalls {
  jobs: number
  /** Over which they are spread, ms. */
  ms: number
  /** For each job. */
  calls: { posts: number; polls: number; roundTrips: number }
  redisUrl: string
  slack: { url: string; token: string; channel: string }
  poll: { url: string; headers: Record<string, string> }
}

interface Others {
  redisUrl: string
  /** As the bot was started. */
  env: Readonly<Record<string, string>>
  project: string
  agentJobId: string
}

/** Everything that the bot does about the answers, over making the calls alone. */
const MOST = { atMost: 2 }
/** To store a command, which is not the worker's. */
const OF_WEB = 1
/** What only its start needed is over by then, as with the worker, ms. */
const SETTLING_MS = 1000

/** CPU of a job's calls, ms. */
export interface CpuOfCalls {
  /** Over the same time as the jobs. */
  spread: number
  /** Back to back: what is left where the process never sleeps in between. */
  together: number
}

/** CPU of as many calls as these jobs made, by the libraries alone. */
export async function cpuOfCalls(costs: Costs, jobs: number, others: Others): Promise<CpuOfCalls> {
  const { env, project, agentJobId, redisUrl } = others
  const key = env.DOCS_API_KEY ?? ""
  await using child = await Child.start<string, JobCalls, number>("../reference/job-calls.js")
  await delay(SETTLING_MS)
  const { slackCalls: posts, serviceCalls: polls, reads } = costs
  const order = {
    jobs,
    ms: costs.ms,
    calls: { posts, polls, roundTrips: reads - OF_WEB },
    redisUrl,
    slack: { url: env.SLACK_API_URL ?? "", token: env.SLACK_BOT_TOKEN ?? "", channel: DOCS },
    poll: {
      url: `${env.DOCS_API_URL}/v2/agent/${project}/job/${agentJobId}`,
      headers: { authorization: `Bearer ${key}` },
    },
  }
  const spread = (await child.ask(order)) / jobs
  return { spread, together: (await child.ask({ ...order, ms: 0 })) / jobs }
}

/** @param ours CPU of the worker for each job, ms @param calls of the reference */
export function callRows(ours: number, { spread, together }: CpuOfCalls): Row[] {
  const [key, what] = ["overCalls", "the same, against making its calls alone"]
  const pair = { reference: { [key]: spread }, ours: { [key]: ours } }
  return [
    compare([pair], key, what, "ms", MOST),
    alone("callsTogether", "making its calls alone, back to back", "ms", together),
  ]
}
