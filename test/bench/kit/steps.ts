import { setTimeout as delay } from "node:timers/promises"
import type { Row } from "./bench.ts"
import { beyondIdle, type Costs, costsOf, type Parties } from "./costs.ts"
import { alone } from "./rounds.ts"

/** What one job that runs alone is to take at most, from the command to the card's last edit. */
const MOST_ROUND_TRIPS = 60

/** A job's life in three parts, each as what brings it about and waits until it is over. */
export interface JobSteps {
  untilItRuns: () => Promise<void>
  untilItsReply: () => Promise<void>
}

/** After the closing reply the card is edited once more, and what was leased comes due, ms. */
const AFTERWARDS_MS = 3000

/** What each part of a job's life takes of Redis, while nothing else is done. */
export async function stepsOf(parties: Parties, idle: Costs, job: JobSteps): Promise<Costs[]> {
  const costs: Costs[] = []
  for (const step of [job.untilItRuns, job.untilItsReply, () => delay(AFTERWARDS_MS)])
    costs.push(beyondIdle(await costsOf(parties, step), idle, 1))
  return costs
}

/** @param jobs the steps of each */
export function stepRows(jobs: readonly Costs[][]): Row[] {
  const mean = (step: number, key: keyof Costs) =>
    jobs.reduce((sum, steps) => sum + (steps[step]?.[key] ?? 0), 0) / jobs.length
  const inAll = (key: keyof Costs) => mean(0, key) + mean(1, key) + mean(2, key)
  const row = (step: number, what: string) =>
    alone(`alone${step}`, `  ${what}: round trips`, "", mean(step, "reads"))
  const goal = { atMost: MOST_ROUND_TRIPS }
  return [
    alone("alone", "Redis round trips of a job of a minute, alone", "", inAll("reads"), goal),
    row(0, "accepted, card posted, created, card edited"),
    row(1, "polls and the closing reply"),
    row(2, "the card's last edit"),
    alone("aloneCommands", "Redis commands of it", "", inAll("commands")),
    alone("aloneCpu", "CPU of the worker for it", "ms", inAll("workerCpu")),
    alone("aloneCalls", "service calls of it", "", inAll("serviceCalls")),
    alone("aloneConnections", "connections to the service for them", "", inAll("connections")),
  ]
}
