import type { Goal, Row } from "./bench.ts"
import type { Costs } from "./costs.ts"
import type { CpuOfCalls } from "./job-calls.ts"
import { alone } from "./rounds.ts"

/** What was measured, all of it for one web and one worker process. */
export interface Measured {
  /** Both processes without any work, in a second. */
  idle: Costs
  /** One job from the command to the closing reply. */
  job: Costs
  /** Of as many calls as one job makes, by the libraries alone. */
  calls: CpuOfCalls
  /** One project whose hour is full while somebody waits, in a second. */
  waiting: Costs
  /** What Redis keeps of one job, times how long: bytes x hours. */
  byteHours: number
  /** Jobs that ran alone, each by its steps. */
  alone: Costs[][]
}

const JOBS_AN_HOUR = 100
/** Of Redis for one project, its audit and its kept jobs; and for each of many, on paper. */
const MOST_MB = { one: 40, ofMany: 30 }

/** What so many projects take at 100 jobs an hour each, that is with somebody waiting in each. */
export function growth({ idle, job, waiting, byteHours }: Measured, projects: number): Row[] {
  const jobsASecond = (projects * JOBS_AN_HOUR) / 3600
  const inAll = (key: keyof Costs) => idle[key] + jobsASecond * job[key] + projects * waiting[key]
  const name = projects === 1 ? "1 project" : `${projects.toLocaleString("en")} projects`
  const row = (key: string, what: string, unit: Row["unit"], value: number, goal?: Goal) =>
    alone(`${key}${projects}`, `${name}: ${what}`, unit, value, goal)
  const cpuOf = (...keys: (keyof Costs)[]) => keys.reduce((sum, key) => sum + inAll(key), 0) / 10
  return [
    row("commands", "Redis commands", "/s", inAll("commands")),
    row("redisCpu", "CPU of Redis", "%", cpuOf("redisCpu")),
    row("botCpu", "CPU of web and worker", "%", cpuOf("webCpu", "workerCpu")),
    row("kept", "Redis memory", "MB", (projects * JOBS_AN_HOUR * byteHours) / 1e6, {
      atMost: projects === 1 ? MOST_MB.one : projects * MOST_MB.ofMany,
    }),
    row("slack", "Slack calls a minute", "", 60 * jobsASecond * job.slackCalls),
    row("service", "service calls", "/s", jobsASecond * job.serviceCalls),
  ]
}
