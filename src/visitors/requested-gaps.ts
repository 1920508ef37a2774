import { z } from "zod"
import type { Context } from "../jobs/context.ts"
import { type Job, linkToCard } from "../jobs/job.ts"
import { parseAs } from "../lib/json.ts"
import { DAY_MS } from "../lib/time.ts"
import { key } from "../store/redis-keys.ts"
import type { Store } from "../store/script.ts"
import type { Gap } from "./gap-kinds.ts"

/** Time in ms for which the bot knows that a gap was requested. */
const KEPT_MS = 90 * DAY_MS

/** Request about a gap: its job, and once there is one, its pull request. Holds no readers' words. */
const noteShape = z.object({ job: z.string(), prLink: z.string().exactOptional() })
type Note = z.infer<typeof noteShape>

/** Links to what became of a gap's request, for everybody who sees the gap. */
export interface Requested {
  prLink: string | undefined
  card: string | undefined
}

const keyOf = (project: string, gap: string) => key("v", "requested", project, gap)

/** Remembers which job a request about gaps became. @param gaps their keys */
export async function noteRequested(
  { redis }: Store,
  project: string,
  gaps: readonly string[],
  note: Note,
): Promise<void> {
  const text = JSON.stringify(note)
  for (const gap of gaps) await redis.set(keyOf(project, gap), text, "PX", KEPT_MS)
}

/** Returns the notes of those gaps that were requested, by their keys. */
export async function findRequested({ redis }: Store, project: string, gaps: readonly string[]) {
  const names = gaps.map((gap) => keyOf(project, gap))
  const texts = names.length > 0 ? await redis.mget(names) : []
  const notes = new Map<string, Note>()
  for (const [n, gap] of gaps.entries()) {
    const note = parseAs(noteShape, texts[n])
    if (note) notes.set(gap, note)
  }
  return notes
}

/**
 * Resolves to what became of the requests about these gaps, in their order. Notes the pull requests
 * that it finds.
 */
export async function requestedOf(
  { store, jobs, slack }: Context,
  project: string,
  gaps: readonly Gap[],
): Promise<(Requested | undefined)[]> {
  const notes = await findRequested(store, project, gaps.flatMap(knownBy))
  return Promise.all(
    gaps.map(async (gap) => {
      const note = noteAbout(gap, notes)
      if (!note) return undefined
      const found = await jobs.find(note.job)
      if (!found)
        return note.prLink === undefined ? undefined : { prLink: note.prLink, card: undefined }
      const { job } = found
      if (isInVain(job)) return undefined
      await notePullRequest(store, { project, gap, note }, job)
      return { prLink: job.prLink, card: linkToCard(slack.state, job) }
    }),
  )
}

function noteAbout(gap: Gap, notes: ReadonlyMap<string, Note>): Note | undefined {
  const noted = knownBy(gap).find((known) => notes.has(known))
  return noted === undefined ? undefined : notes.get(noted)
}

/** Adds the job's pull request to the note about it, which outlasts the job's record. */
async function notePullRequest(
  store: Store,
  { project, gap, note }: { project: string; gap: Gap; note: Note },
  { prLink }: Job,
): Promise<void> {
  if (prLink === undefined || prLink === note.prLink) return
  await noteRequested(store, project, gap.keys, { job: note.job, prLink })
}

/** Returns the keys of which one must be noted: of comments, that of the newest. */
function knownBy({ kind, keys }: Gap): string[] {
  return kind === "comments" ? keys.slice(0, 1) : keys
}

/** Returns whether a request came to nothing, so that its gap may be requested again. */
function isInVain({ state, prLink, pull }: Job): boolean {
  return pull?.state === "closed" || (state === "ended" && prLink === undefined)
}
