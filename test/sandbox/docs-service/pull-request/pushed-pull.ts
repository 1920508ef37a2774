import type { PushedPull } from "../../github/pull.ts"
import type { LocalJob } from "../agent-job.ts"
import { changeFor } from "./change.ts"
import { titleOf } from "./prompt-words.ts"

/** Returns the agent's changes for a job, or undefined before its pull request is opened. */
export function pushedPull(job: LocalJob, repository: string): PushedPull | undefined {
  if (job.pullOpenedAt === null) return undefined
  const asked = [{ at: job.createdAt, prompt: job.prompt }, ...job.messages]
  return {
    repository,
    number: job.pull.number,
    title: titleOf(job.prompt),
    branch: job.source.ref,
    openedAt: job.pullOpenedAt,
    asked,
    files: changeFor(asked.map(({ prompt }) => prompt)),
    isWorking: job.status === "active",
  }
}
