import type { Config } from "./config/config.ts"
import type { JobsDeps } from "./jobs/deps.ts"
import { attempt, isInOwnDirect, tell } from "./listeners/answer.ts"
import { admit } from "./listeners/ask.ts"
import type { Log } from "./runtime/log.ts"
import type { IsOwnDirect } from "./slack/membership.ts"
import { answerPasses } from "./visitors/answers.ts"
import { createVisitorsDeps } from "./visitors/deps.ts"
import type { GapRequestDeps } from "./visitors/gap-requests.ts"
import { scheduledPass } from "./visitors/scheduled.ts"

interface WorkOptions extends Pick<GapRequestDeps, "permalink"> {
  config: Config
  log: Log
  isOwnDirect: IsOwnDirect
}

/** Wires the visitors feature for the worker: it reads, ranks, renders and answers. */
export function composeVisitorsWork(jobs: JobsDeps, options: WorkOptions) {
  const { config, log, isOwnDirect, permalink } = options
  const deps = createVisitorsDeps(jobs, config)
  const agent = { ...jobs, log, isOwnDirect, admins: [...config.access.admins] }
  const answering: Parameters<typeof answerPasses>[0] = {
    ...deps,
    permalink,
    tell: (to, message, replace) => tell(agent, to, message, replace),
    isEphemeral: async (to) => (await isInOwnDirect(agent, to)) === false,
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
