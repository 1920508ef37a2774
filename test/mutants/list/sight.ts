import type { Mutant } from "../mutant.ts"

/** What people see of their jobs and of the queue. */
export const SIGHT: readonly Mutant[] = [
  {
    name: "running-drops-out",
    breaks: "What still runs stays in its person's list behind a hundred that have ended.",
    file: "src/redis/scripts/accept.ts",
    search: "if ended and extra > 0 then",
    replace: "if extra > 0 then",
    project: "integration",
    tests: ["overview"],
  },
  {
    name: "ended-before-running",
    breaks: "What runs is listed before what has ended.",
    file: "src/redis/job-store.ts",
    search: "[...open, ...others].map(get)",
    replace: "ids.slice(0, ended).map(get)",
    project: "integration",
    tests: ["overview"],
  },
  {
    name: "muted-card-stands-still",
    breaks: "In a muted thread the card is edited all the same.",
    file: "src/jobs/deliver.ts",
    search: 'if (job.rev !== job.shown.rev) return "edit"',
    replace: 'if (job.rev !== job.shown.rev) return job.quiet && !isEnded(job) ? "none" : "edit"',
    project: "unit",
    tests: ["following"],
  },
  {
    name: "endless-pause-promises",
    breaks: "While the queue is paused without an end no start is told.",
    file: "src/jobs/places.ts",
    search: "const start = endless ? { soon: false }",
    replace: "const start = false ? { soon: false }",
    project: "unit",
    tests: ["queue"],
  },
  {
    name: "paused-card-tells-start",
    breaks:
      "A paused card tells when the service is asked again, not when its own request would start.",
    file: "src/views/card.ts",
    search: "place.paused as WaitReason, place.triedAt",
    replace: "place.paused as WaitReason, place.startsAt",
    project: "unit",
    tests: ["sight"],
  },
]
