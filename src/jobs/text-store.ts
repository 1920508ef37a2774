import type { Keep, Op } from "../store/commit.ts"
import { RecordError } from "../store/record-fields.ts"
import type { OnBroken } from "../store/records.ts"
import type { Store } from "../store/script.ts"
import type { Changed, Decision } from "./change.ts"
import type { Job } from "./job.ts"
import { jobKeys } from "./job-keys.ts"
import { fromPrompt, type Prompt, type Prompts, toPrompt } from "./request-text.ts"
import type { Ask } from "./round.ts"
import { allAsks, currentAsks, endingOf, standingAsks } from "./rounds.ts"

type Named = Pick<Ask, "id" | "fileBytes">

/** Creates the reader of requests' texts: records of their own, read only where they are needed. */
export function createTexts({ redis }: Store, onBroken: OnBroken) {
  async function stored(key: string): Promise<string | null> {
    try {
      return await redis.get(key)
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith("WRONGTYPE"))) throw error
      onBroken(key, error)
      return null
    }
  }

  /** Resolves to the texts that are still stored, without attached files. */
  async function promptsOf(asks: readonly Named[]): Promise<Prompts> {
    const texts = await Promise.all(asks.map(({ id }) => stored(jobKeys.words(id))))
    const found: Record<string, Prompt> = {}
    for (const [n, { id }] of asks.entries()) {
      const text = texts[n]
      if (!text) continue
      try {
        found[id] = toPrompt(id, text)
      } catch (error) {
        if (!(error instanceof RecordError)) throw error
        onBroken(jobKeys.words(id), error)
      }
    }
    return found
  }

  return {
    promptsOf,

    /** Resolves to the texts that are still stored, with attached files. */
    async wholePromptsOf(asks: readonly Named[]): Promise<Prompts> {
      const prompts = await promptsOf(asks)
      const withFiles = asks.filter(({ fileBytes }) => fileBytes !== undefined)
      const files = await Promise.all(withFiles.map(({ id }) => stored(jobKeys.files(id))))
      const whole = withFiles.flatMap(({ id }, n): [string, Prompt][] => {
        const [prompt, attached] = [prompts[id], files[n]]
        return prompt && attached ? [[id, { ...prompt, attached }]] : []
      })
      return { ...prompts, ...Object.fromEntries(whole) }
    },
  }
}

/** Returns the operations that store these texts. */
export function puts(prompts: Prompts): Op[] {
  return Object.entries(prompts).flatMap(([id, prompt]): Op[] => [
    { do: "put", key: jobKeys.words(id), value: fromPrompt(prompt) },
    ...(prompt.attached === undefined
      ? []
      : [{ do: "put" as const, key: jobKeys.files(id), value: prompt.attached }]),
  ])
}

export function keepOf(asks: readonly Named[], ms: Keep): Op {
  const keys = asks.flatMap(({ id, fileBytes }) =>
    fileBytes === undefined ? [jobKeys.words(id)] : [jobKeys.words(id), jobKeys.files(id)],
  )
  return { do: "keep", keys, ms }
}

/**
 * Derives what a change does to the texts of its requests: stores new ones, deletes those that were
 * withdrawn and files that no repetition needs, and keeps the others as long as the job. Pure.
 * @param keepMs absent: as long as before
 */
export function textOps({ before, job, change }: Changed<Decision>, keepMs?: Keep): Op[] {
  const { forget = [], prompts = {} } = change
  const isKept = ([id]: [string, unknown]) => !forget.includes(id)
  const spent = spentFiles(job).filter((id) => !spentFiles(before).includes(id))
  const drop = [
    ...forget.flatMap((id) => [jobKeys.words(id), jobKeys.files(id)]),
    ...spent.map(jobKeys.files),
  ]
  return [
    ...puts(Object.fromEntries(Object.entries(prompts).filter(isKept))),
    ...drop.map((key): Op => ({ do: "drop", key })),
    ...(keepMs === undefined ? [] : [keepOf(keptAsks(job), keepMs)]),
  ]
}

/** Returns the requests whose texts stay with the job: what waits is kept whatever happens. */
function keptAsks(job: Job): Ask[] {
  if (job.state !== "ended") return standingAsks(job)
  const waiting = new Set(job.waiting.map(({ id }) => id))
  return allAsks(job).filter(({ id }) => !waiting.has(id))
}

/** Returns the requests with files that were sent and are not sent again: only words are quoted. */
function spentFiles(job: Job): string[] {
  const mayGo = [...(endingOf(job) === "pull_request" ? [] : currentAsks(job)), ...job.waiting]
  const open = new Set(mayGo.map(({ id }) => id))
  const withFiles = allAsks(job).filter(({ fileBytes }) => fileBytes !== undefined)
  return withFiles.flatMap(({ id }) => (open.has(id) ? [] : [id]))
}
