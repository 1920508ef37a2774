import type { Config } from "./config/config.ts"
import type { JobsDeps } from "./jobs/deps.ts"
import { attempt } from "./listeners/answer.ts"
import { admit } from "./listeners/ask.ts"
import type { Log } from "./runtime/log.ts"
import { answerPasses } from "./visitors/answers.ts"
import { createVisitorsDeps } from "./visitors/deps.ts"
import type { GapRequestDeps } from "./visitors/gap-requests.ts"
import { scheduledPass } from "./visitors/post-pass.ts"

interface WorkOptions extends Pick<GapRequestDeps, "permalink"> {
  config: Config
  log: Log
}

/** Builds the worker's passes: answers to questions about visitors, digests and alerts. */
export function composeVisitorsWork(jobs: JobsDeps, { config, log, permalink }: WorkOptions) {
  const deps = createVisitorsDeps(jobs, config)
  const agent = { ...deps, log, permalink }
  const answering: Parameters<typeof answerPasses>[0] = {
    ...agent,
    admit: (who) => admit(agent, who),
    attempt: (who, work, unasked) => attempt(agent, who, work, unasked),
  }
  return {
    ...deps,
    passes: (stopping: AbortSignal) => ({
      posts: () => scheduledPass(deps),
      ...answerPasses(answering, stopping),
    }),
  }
}
