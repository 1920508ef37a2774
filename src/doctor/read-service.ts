import type { DocsApi } from "../docs/api.ts"
import { DocsError } from "../docs/errors.ts"
import type { Pause } from "../jobs/ports.ts"
import type { ProjectFacts } from "./facts.ts"

const DAY_MS = 86_400_000

/** Reads one row of yesterday's visitors: the cheapest request that needs the key. */
export async function readProject(
  visitors: DocsApi["visitors"],
  project: string,
  now: number,
  pauseOf: (project: string) => Promise<Pause | undefined>,
): Promise<ProjectFacts> {
  const [wrong, pause] = await Promise.all([readOneRow(visitors, project, now), pauseOf(project)])
  return { project, ...(wrong ? { fault: wrong } : {}), ...(pause ? { pause } : {}) }
}

async function readOneRow(
  visitors: DocsApi["visitors"],
  project: string,
  now: number,
): Promise<ProjectFacts["fault"]> {
  const day = (at: number) => new Date(at).toISOString().slice(0, 10)
  const yesterday = { dateFrom: day(now - DAY_MS), dateTo: day(now), limit: 1, offset: 0 }
  try {
    await visitors(project, yesterday)
    return undefined
  } catch (error) {
    if (!(error instanceof DocsError)) throw error
    const { fault: kind, status, detail } = error
    return {
      kind,
      ...(status === undefined ? {} : { status }),
      ...(detail === undefined ? {} : { detail }),
    }
  }
}
