import { orSlackError, SlackError } from "../errors/slack-error.ts"
import type { Message } from "../messages/blocks.ts"
import { UNTIL_WOKEN } from "../runtime/alarm.ts"
import type { Outbound } from "../slack/web-outbound.ts"
import { key } from "../store/keys.ts"
import { once } from "../store/limits.ts"
import type { Store } from "../store/script.ts"
import type { PauseReason } from "./outcome.ts"
import { type HealthStore, pauseOf } from "./pause.ts"
import type { PollLessons } from "./poll-lessons.ts"

/** A notice is not repeated for as long as the trouble is likely to be remembered, ms. */
const TOLD_MS = 30 * 86_400_000

/** Something a person has to see to: a pause without an end, or that no job is found where the bot looks. */
export interface Trouble {
  project: string
  kind: PauseReason | "job_path"
  /** ms */
  since: number
}

/** Where troubles are known. */
interface TroubleSources {
  health: HealthStore
  lessons: Pick<PollLessons, "jobPath">
  projects: readonly string[]
}

/** Whom to tell, and how. */
export interface Telling {
  store: Store
  outbound: Pick<Outbound, "direct">
  admins: ReadonlySet<string>
}

interface AdminNoticeDeps extends TroubleSources, Telling {
  /** Makes the message to one of the admins. */
  notice: (trouble: Trouble) => Promise<(admin: string) => Message>
  /** The log is told of each once, whether or not an admin is. */
  onTrouble: (trouble: Trouble) => void
  /** Between two looks while there is trouble, ms. */
  restMs: number
}

/** One pass: tells the log and each admin once about what needs a person. Returns how long to rest, ms. */
export async function adminNoticePass(deps: AdminNoticeDeps): Promise<number> {
  const troubles = await openTroubles(deps)
  for (const trouble of troubles) {
    const { project, kind, since } = trouble
    const about = `told:${project}:${kind === "job_path" ? "path:" : ""}${since}`
    await tellOnce(deps, about, {
      log: () => deps.onTrouble(trouble),
      message: async (admin) => (await deps.notice(trouble))(admin),
    })
  }
  return troubles.length > 0 ? deps.restMs : UNTIL_WOKEN
}

/** Tells the log and each admin once about something. */
export async function tellOnce(
  { store, outbound, admins }: Telling,
  about: string,
  { log, message }: { log: () => void; message: (admin: string) => Promise<Message> | Message },
): Promise<void> {
  if (await once(store, `${about}:log`, TOLD_MS)) log()
  for (const admin of admins) {
    const task = `${about}:${admin}`
    if (!(await once(store, task, TOLD_MS))) continue
    const told = await outbound.direct(admin, await message(admin)).catch(orSlackError)
    // Certainly not told: the next pass tries again. In doubt it stays at once.
    if (told instanceof SlackError && told.verdict === "later")
      await store.redis.del(key("once", task))
  }
}

/** Troubles that need a person right now. */
export async function openTroubles({
  health,
  lessons,
  projects,
}: TroubleSources): Promise<Trouble[]> {
  const found = await Promise.all(
    projects.map(async (project): Promise<Trouble[]> => {
      const [{ health: is }, path] = await Promise.all([
        health.read(project),
        lessons.jobPath(project),
      ])
      const pause = pauseOf(is)
      const endless = pause && pause.until === undefined
      return [
        ...(endless ? [{ project, kind: pause.reason, since: pause.since }] : []),
        ...(path ? [{ project, kind: "job_path" as const, since: path.since }] : []),
      ]
    }),
  )
  return found.flat()
}
