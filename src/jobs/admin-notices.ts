import { RESTS } from "../config/timing.ts"
import { orSlackError, SlackError } from "../errors/slack-error.ts"
import type { Message } from "../ports/message.ts"
import type { Outbound } from "../ports/outbound.ts"
import type { Pause, QueueStore } from "./ports.ts"

/** A notice is not repeated for as long as a pause is likely to be remembered. */
const TOLD_MS = 30 * 86_400_000

export interface AdminNoticeDeps {
  queue: QueueStore
  outbound: Outbound
  admins: ReadonlySet<string>
  view(project: string, pause: Pause): Message
  /** With no admin configured the notice goes to the log. */
  onUntold(project: string, pause: Pause): void
}

/** One pass: tells each admin once about a pause that needs a person. */
export async function adminNoticePass(deps: AdminNoticeDeps): Promise<number> {
  for (const { project, pause } of await openPauses(deps.queue))
    await tellAdmins(project, pause, deps)
  return RESTS.adminNotices
}

/** The pauses that need a person right now, in words. */
export async function openNotices(
  queue: QueueStore,
  words: (project: string, pause: Pause) => string,
): Promise<string[]> {
  return (await openPauses(queue)).map(({ project, pause }) => words(project, pause))
}

async function openPauses(queue: QueueStore): Promise<{ project: string; pause: Pause }[]> {
  // A paused project has what it could not create waiting, so it is among the busy ones.
  const projects = await queue.busy()
  const pauses = await Promise.all(projects.map((project) => queue.pause(project)))
  return projects.flatMap((project, n) => {
    const pause = pauses[n]
    return pause && pause.until === undefined ? { project, pause } : []
  })
}

async function tellAdmins(project: string, pause: Pause, deps: AdminNoticeDeps): Promise<void> {
  const task = (admin: string) => `told:${project}:${pause.since}:${admin}`
  if (deps.admins.size === 0 && (await deps.queue.once(task("log"), TOLD_MS)))
    deps.onUntold(project, pause)
  for (const admin of deps.admins) {
    if (!(await deps.queue.once(task(admin), TOLD_MS))) continue
    const told = await deps.outbound.direct(admin, deps.view(project, pause)).catch(orSlackError)
    // Certainly not told: the next pass tries again. In doubt it stays at once.
    if (told instanceof SlackError && told.verdict === "later") await deps.queue.undo(task(admin))
  }
}
