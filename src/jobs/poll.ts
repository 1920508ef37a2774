import type { AgentJob } from "../docs/schema.ts"
import { DocsError, orDocsError } from "../errors/docs-error.ts"
import { raceAbort } from "../runtime/time.ts"
import type { JobsDeps } from "./deps.ts"
import type { Job } from "./job.ts"
import type { Again, Held } from "./job-store.ts"
import { observe } from "./observe.ts"
import { polled } from "./transitions.ts"
import { checkKeyAfterPoll } from "./trouble/key-check.ts"

const BATCH = 64

interface Polling {
  /** Signal that the process stops; another one can repeat a poll, because it changes nothing. */
  stopping: AbortSignal
  /** Receives a link before the bot saves it, so that after a failure the next poll repeats it. */
  onLink: ((job: Job, prLink: string) => Promise<void>) | undefined
}

export function pollPass(deps: JobsDeps, polling: Polling): Promise<number> {
  const { maxMs } = deps.config.polling
  const leaseMs = deps.timing.leaseMs + deps.creationDeadlineMs
  return deps.jobs.eachDue("polls", { limit: BATCH, leaseMs }, (held) => {
    const answered = poll(deps, held, polling).catch((error: unknown) => {
      deps.events.pollFailed(held.job, error)
      return maxMs
    })
    return raceAbort(polling.stopping, answered, 0)
  })
}

async function poll(deps: JobsDeps, held: Held, { stopping, onLink }: Polling): Promise<Again> {
  const { job } = held
  if (job.state !== "active" || job.agentJobId === undefined) return "done"
  const answer = await deps.docs.getJob(job.project, job.agentJobId).catch(orDocsError)
  if (stopping.aborted) return 0
  const isPathRight = await checkKeyAfterPoll(deps, job, answer)
  const found = observe(job, answer as AgentJob | DocsError, deps.config.polling, {
    now: held.now,
    random: Math.random(),
    isPathRight,
  })
  deps.events.polled(job, answer instanceof DocsError ? answer.fault : "ok")
  const { prLink, ending } = found
  if (prLink !== undefined && (ending || prLink !== job.prLink)) await onLink?.(job, prLink)
  await deps.jobs.change(job.id, ({ job: is, now }) => polled(is, { ...found, now }), held)
  return ending ? "done" : found.waitMs
}
