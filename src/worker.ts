import { setMaxListeners } from "node:events"
import type { Services } from "./compose.ts"
import { STOPPING } from "./config/timing.ts"
import { BUSY, dispatchOf, jobKeys, kinds, queueKeys, queuesOf, TROUBLES } from "./jobs/job-keys.ts"
import { Alarm, type Pass, runLoop } from "./lib/loop.ts"
import { MAX_CONCURRENT } from "./limit/creation-bottleneck.ts"
import { isStoreAway } from "./store/server-state.ts"
import { createWakeUps } from "./store/wake-ups.ts"
import { CSV_LOOPS } from "./visitors/csv-export.ts"
import { workerPasses } from "./worker-passes.ts"

/** Loops that look after pauses and a wrong `DOCS_JOB_PATH`. */
const TROUBLE_LOOPS = ["notices", "keys", "refresh"]
/** Maximum passes at once of the loops that may wait long for Slack or the service. */
const AT_ONCE = 10

/** Background loops. Any number of workers share the work through Redis. */
export class Worker {
  /** Passes by name, for tests; each runs in a loop of its own. */
  readonly passes: Readonly<Record<string, Pass>>
  readonly #services: Services
  readonly #stopping = new AbortController()
  readonly #forceStop = new AbortController()
  readonly #wakes: ReadonlyMap<string, readonly string[]>
  readonly #alarms: ReadonlyMap<string, Alarm>
  readonly #wakeUps: ReturnType<typeof createWakeUps>
  #loops: Promise<void>[] = []

  constructor(services: Services) {
    const { workerRedis, work, workVisitors, log } = services
    const stop = { stopping: this.#stopping.signal, forceStop: this.#forceStop.signal }
    // Every loop, delivery and creation listens; Node would warn from the eleventh listener on.
    setMaxListeners(0, stop.stopping, stop.forceStop)
    const { keys } = work.settings.projects
    const { posts, csvs } = workVisitors
    this.#services = services
    const dispatches = queuesOf(keys).map(dispatchOf)
    const pauses = keys.map((project) => queueKeys(project).pause)
    const calendar = [posts.schedule, jobKeys.schedule("reminders")]
    const schedules = [...kinds.map(jobKeys.schedule), csvs.schedule]
    const waits = schedules.filter((schedule) => !calendar.includes(schedule))
    const watched = { waits, calendar, present: [BUSY, ...pauses] }
    this.#wakes = new Map<string, readonly string[]>([
      ...kinds.map((kind) => [jobKeys.schedule(kind), [kind]] as const),
      [posts.schedule, ["posts"]],
      [csvs.schedule, CSV_LOOPS],
      [BUSY, [...dispatches, "refresh"]],
      // A job that may start, or must wait for a slot: its card then says which place it has.
      ...dispatches.map((dispatch) => [dispatch, [dispatch, "refresh"]] as const),
      ...[TROUBLES, ...pauses].map((trouble) => [trouble, TROUBLE_LOOPS] as const),
    ])
    const ring = (due: string, inMs: number) => this.#ring(due, inMs)
    this.#wakeUps = createWakeUps(workerRedis, watched, ring, log)
    this.passes = workerPasses(services, stop, () => this.#wakeUps.check())
    this.#alarms = new Map(Object.keys(this.passes).map((name) => [name, new Alarm()]))
  }

  start(): void {
    const { signal } = this.#stopping
    const { log } = this.#services
    this.#loops = Object.entries(this.passes).map(([name, pass]) => {
      const mayWait = name === "outbox" || name === "polls"
      const atOnce = mayWait ? AT_ONCE : name.startsWith(dispatchOf("")) ? MAX_CONCURRENT : 1
      const alarm = this.#alarms.get(name)
      return runLoop(name, pass, { signal, log, alarm, atOnce, isReported: isStoreAway })
    })
  }

  /** Starts no new pass; resolves when those in flight have ended or only Redis is missing. */
  async stop(): Promise<void> {
    const { workerRedis } = this.#services
    this.#stopping.abort()
    this.#wakeUps.close()
    const timer = setTimeout(() => this.#forceStop.abort(), STOPPING.workMs)
    // If Redis is unavailable, the loops would wait for it. They may be cut off, as in a crash:
    // the next process looks up or repeats their last step.
    const away = new Promise<void>((resolve) => {
      if (workerRedis.status === "ready") workerRedis.once("close", () => resolve())
      else resolve()
    })
    await Promise.race([Promise.all(this.#loops), away])
    clearTimeout(timer)
  }

  /** Wakes the loops of what is due in `inMs`; names of projects that others serve wake none. */
  #ring(due: string, inMs: number): void {
    for (const loop of this.#wakes.get(due) ?? []) this.#alarms.get(loop)?.ring(inMs)
  }
}
