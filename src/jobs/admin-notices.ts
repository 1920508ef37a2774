import { RESTS } from "../config/timing.ts"
import { orSlackError, SlackError } from "../errors/slack-error.ts"
import type { Message } from "../ports/message.ts"
import type { Outbound } from "../ports/outbound.ts"
import { UNTIL_WOKEN } from "../runtime/alarm.ts"
import type { PauseReason, QueueStore } from "./queue-ports.ts"
import type { ServiceHealth } from "./service-ports.ts"

/** A notice is not repeated for as long as the trouble is likely to be remembered. */
const TOLD_MS = 30 * 86_400_000

/** What a person has to see to: a pause without an end, or that no job is found where the bot looks. */
export interface Trouble {
  project: string
  kind: PauseReason | "job_path"
  /** ms */
  since: number
}

/** Where troubles are known. */
interface TroubleSources {
  queue: Pick<QueueStore, "pause">
  health: Pick<ServiceHealth, "jobPath">
  projects: readonly string[]
}

interface AdminNoticeDeps extends TroubleSources {
  queue: QueueStore
  outbound: Outbound
  admins: ReadonlySet<string>
  view(trouble: Trouble): Message
  /** The log is told of each once, whether or not an admin is. */
  onTrouble(trouble: Trouble): void
}

/** One pass: tells the log and each admin once about what needs a person. */
export async function adminNoticePass(deps: AdminNoticeDeps): Promise<number> {
  const troubles = await openTroubles(deps)
  for (const trouble of troubles) await tell(trouble, deps)
  return troubles.length > 0 ? RESTS.adminNotices : UNTIL_WOKEN
}

/** What needs a person right now. */
export async function openTroubles({
  queue,
  health,
  projects,
}: TroubleSources): Promise<Trouble[]> {
  const found = await Promise.all(
    projects.map(async (project): Promise<Trouble[]> => {
      const [pause, path] = await Promise.all([queue.pause(project), health.jobPath(project)])
      const endless = pause && pause.until === undefined
      return [
        ...(endless ? [{ project, kind: pause.reason, since: pause.since }] : []),
        ...(path ? [{ project, kind: "job_path" as const, since: path.since }] : []),
      ]
    }),
  )
  return found.flat()
}

async function tell(trouble: Trouble, deps: AdminNoticeDeps): Promise<void> {
  const { project, kind, since } = trouble
  const path = kind === "job_path" ? "path:" : ""
  const task = (to: string) => `told:${project}:${path}${since}:${to}`
  if (await deps.queue.once(task("log"), TOLD_MS)) deps.onTrouble(trouble)
  for (const admin of deps.admins) {
    if (!(await deps.queue.once(task(admin), TOLD_MS))) continue
    const told = await deps.outbound.direct(admin, deps.view(trouble)).catch(orSlackError)
    // Certainly not told: the next pass tries again. In doubt it stays at once.
    if (told instanceof SlackError && told.verdict === "later") await deps.queue.undo(task(admin))
  }
}
