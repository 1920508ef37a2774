import { endings, followUps, running } from "./jobs.ts"
import { answers, forms, refusals, withoutAdmin } from "./private.ts"
import { previews, pulls, reminder } from "./pulls.ts"
import { catchingUp, holdUps, pauses, waiting } from "./queue.ts"
import type { Shots } from "./studio.ts"
import { news, reports } from "./visitors.ts"

/** Every scene, each in a sandbox of its own, by name. */
export const SCENES: Readonly<Record<string, (shots: Shots) => Promise<void>>> = {
  running,
  endings,
  "follow-ups": followUps,
  waiting,
  pauses,
  "hold-ups": holdUps,
  "catching-up": catchingUp,
  pulls,
  reminder,
  previews,
  answers,
  refusals,
  "no-admin": withoutAdmin,
  forms,
  reports,
  news,
}
