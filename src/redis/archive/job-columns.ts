import { z } from "zod"
import { lengthened, pack, shortened, unpack } from "./columns.ts"

/** An ended job as it was stored. */
export interface ArchivedJob {
  id: string
  hash: Readonly<Record<string, string>>
  /** Absent where they are not kept, or stand in a key of their own. */
  prompt?: string
}

/** A text, or a moment as what has passed since an earlier one, ms. */
const cell = z.union([z.string(), z.number(), z.null()])

const columns = z.object({
  id: z.array(z.string()),
  /** Whatever fields the records have, also those of a version to come. */
  fields: z.record(z.string(), z.array(cell)),
  prompt: z.array(z.string().nullable()),
})

/** Moments of a job, each soon after it was asked; that, after the job before. */
const ASKED = "at"
const MOMENTS: ReadonlySet<string> = new Set([ASKED, "started", "ended"])

/** Ended jobs and their words in a seventh of the memory that each takes alone. */
export async function packJobs(jobs: readonly ArchivedJob[]): Promise<Buffer> {
  const names = [...new Set(jobs.flatMap(({ hash }) => Object.keys(hash)))]
  const fields = names.map((name) => [name, jobs.map((_, n) => shortCell(jobs, n, name))] as const)
  return pack({
    id: jobs.map(({ id }) => id),
    fields: Object.fromEntries(fields),
    prompt: jobs.map(({ prompt }) => prompt ?? null),
  })
}

function shortCell(jobs: readonly ArchivedJob[], n: number, name: string): string | number | null {
  const value = jobs[n]?.hash[name]
  if (value === undefined) return null
  const moment = Number(value)
  if (MOMENTS.has(name) && String(moment) === value) return moment - baseOf(jobs, n, name)
  return shortened(value)
}

function baseOf(jobs: readonly ArchivedJob[], n: number, name: string): number {
  const base = Number(jobs[name === ASKED ? n - 1 : n]?.hash[ASKED] ?? 0)
  return Number.isSafeInteger(base) ? base : 0
}

/** @throws RecordError when it is broken, or was written by another version */
export async function unpackJobs(id: string, bytes: Buffer): Promise<ArchivedJob[]> {
  const data = await unpack(`The pack ${id} of ended jobs`, columns, bytes)
  const jobs: (ArchivedJob & { hash: Record<string, string> })[] = data.id.map((id, n) => {
    const prompt = data.prompt[n] ?? undefined
    return { id, hash: {}, ...(prompt === undefined ? {} : { prompt }) }
  })
  const { [ASKED]: asked = [], ...others } = data.fields
  for (const [name, cells] of [[ASKED, asked] as const, ...Object.entries(others)])
    for (const [n, value] of cells.entries()) {
      const job = jobs[n]
      if (!job || value === null) continue
      job.hash[name] =
        typeof value === "number" ? String(value + baseOf(jobs, n, name)) : lengthened(value)
    }
  return jobs
}
