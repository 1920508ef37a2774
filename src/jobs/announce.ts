import { unless } from "../runtime/unless.ts"
import type { Job, QueuePlace } from "./job.ts"
import { type Moved, type SpeakDeps, speak } from "./speak.ts"
import { LOOK_AGAIN_MS } from "./try-again.ts"

const BATCH = 20
const IDLE_REST_MS = 100

export interface AnnounceDeps extends SpeakDeps {
  /** Aborted when the process cannot wait for Slack any longer. */
  hurry: AbortSignal
  /** Where the waiting jobs of a project stand right now. */
  places(project: string): Promise<Map<string, QueuePlace>>
}

/** One pass over what there is to say. Returns how long to rest, ms. */
export async function announcePass(deps: AnnounceDeps, moved: Moved): Promise<number> {
  const end = deps.now() + deps.postWithinMs
  const inTime = () => deps.now() < end
  const claimed = await deps.outbox.claim(BATCH)
  const pass = { placeOf: placesByProject(deps), moved, crowd: new Map<string, number>(), inTime }
  await Promise.all(
    claimed.map(async (utterance) => {
      const speaking = speak(deps, utterance, pass)
      // What is on its way may yet be posted, so the next process looks it up first.
      const result = await unless(deps.hurry, speaking, { sure: false, againMs: LOOK_AGAIN_MS })
      await deps.outbox.said(utterance, result)
    }),
  )
  return claimed.length === BATCH ? 0 : IDLE_REST_MS
}

/** The queue is read once per project and pass, and only when a waiting job is shown. */
function placesByProject(deps: AnnounceDeps) {
  const known = new Map<string, Promise<Map<string, QueuePlace>>>()
  return async (job: Job): Promise<QueuePlace | undefined> => {
    if (job.state !== "queued") return undefined
    const places = known.get(job.project) ?? deps.places(job.project)
    known.set(job.project, places)
    return (await places).get(job.id)
  }
}
