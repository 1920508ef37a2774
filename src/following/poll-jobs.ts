import { DocsError, orDocsError } from "../docs-service/docs-error.ts"
import type { AgentJob } from "../docs-service/response-shapes.ts"
import type { Context } from "../jobs/context.ts"
import type { Again, Held } from "../jobs/job-store.ts"
import { pullRefOf } from "../jobs/pull-transitions.ts"
import { currentRound } from "../jobs/rounds.ts"
import { polled } from "../jobs/send-round.ts"
import { raceAbort } from "../lib/time.ts"
import { creationDeadline } from "../limit/creation-bottleneck.ts"
import { checkKeyAfterPoll } from "../limit/refused-key.ts"
import { observe } from "./observe-job.ts"

const BATCH = 64

/** @param stopping aborts when the process stops; another one can repeat a poll, which is a read */
export function pollPass(context: Context, stopping: AbortSignal): Promise<number> {
  const leaseMs = context.settings.timing.leaseMs + creationDeadline(context.settings)
  return context.jobs.eachDue("polls", { limit: BATCH, leaseMs }, (held) =>
    raceAbort(stopping, poll(context, held, stopping), 0),
  )
}

async function poll(context: Context, held: Held, stopping: AbortSignal): Promise<Again> {
  const { job } = held
  if (job.state !== "active" || job.agentJobId === undefined) return "done"
  const answer = await context.docs.api.getJob(job.project, job.agentJobId).catch(orDocsError)
  if (stopping.aborted) return 0
  const isPathRight = await checkKeyAfterPoll(context, job, answer)
  const polledRound = { ...currentRound(job), prLink: job.prLink }
  const found = observe(polledRound, answer as AgentJob | DocsError, context.settings.polling, {
    now: held.now,
    random: Math.random(),
    isPathRight,
  })
  context.events.polled(job, answer instanceof DocsError ? answer.fault : "ok")
  const { prLink, ending } = found
  const { github } = context.settings
  const isNews = prLink !== undefined && (ending || prLink !== job.prLink)
  const pull = isNews && github ? pullRefOf(prLink, github.web) : undefined
  const link = pull && { ...pull, firstMs: context.settings.timing.pulls.firstMs }
  await context.jobs.change(
    job.id,
    ({ job: latest, now }) => polled(latest, { ...found, link, now }),
    held,
  )
  return ending ? "done" : found.waitMs
}
