import type { LocalJob } from "../sandbox/docs-service/agent-job.ts"
import type { DocsService } from "../sandbox/docs-service/service.ts"
import { lastPromptIn } from "./words.ts"

/** What the service was made to do for one request. */
export interface Work {
  /** Jobs that were created for it. */
  created: number
  /** Messages that carried it. */
  sent: number
  /** The job that has it. */
  job: LocalJob | undefined
}

/** By prompt. */
export function workOf(docs: DocsService): Map<string, Work> {
  const all = new Map<string, Work>()
  const count = (words: string, what: "created" | "sent", job: LocalJob | undefined) => {
    const prompt = lastPromptIn(words) ?? words
    const work = all.get(prompt) ?? { created: 0, sent: 0, job }
    all.set(prompt, { ...work, [what]: work[what] + 1, job })
  }
  for (const { prompt, jobId } of docs.creations) count(prompt, "created", docs.job(jobId))
  for (const { id } of docs.projects)
    for (const job of docs.jobs(id))
      for (const { prompt } of job.messages) count(prompt, "sent", job)
  return all
}

/** Where a link to a pull request leads. */
export function placeOf(link: string): { repository: string; number: number } {
  const [owner, name, , number] = new URL(link).pathname.split("/").slice(1)
  return { repository: `${owner}/${name}`, number: Number(number) }
}
