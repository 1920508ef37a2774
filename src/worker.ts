import { setMaxListeners } from "node:events"
import { sendToAgent } from "./asking/send-to-agent.ts"
import type { Services } from "./compose.ts"
import { sessionPass } from "./following/agent-session.ts"
import { deliveryPass } from "./following/deliver.ts"
import { pollPass } from "./following/poll-jobs.ts"
import { trimAudit } from "./jobs/audit-log.ts"
import { BUSY, dispatchOf, jobKeys, kinds, queueKeys, queuesOf, TROUBLES } from "./jobs/job-keys.ts"
import { Alarm, type Pass, runLoop, type Stop, UNTIL_WOKEN } from "./lib/loop.ts"
import { refreshPass } from "./limit/queue-positions.ts"
import { keyPass } from "./limit/refused-key.ts"
import { recognizeData } from "./limit/restored-backup.ts"
import { dispatchPass, MAX_CONCURRENT, type Send } from "./limit/start-rounds.ts"
import { adminNoticePass, monthNoticePass } from "./operating/find-troubles.ts"
import { noteAlive } from "./operating/missing-worker.ts"
import { firstLookPass, watchPass } from "./pulls/follow-pulls.ts"
import { reminderPass } from "./pulls/reminders.ts"
import { resultsPass } from "./pulls/results-channels.ts"
import { STOPPING } from "./shutdown.ts"
import { isStoreAway } from "./store/server-state.ts"
import { createWakeUps } from "./store/wake-ups.ts"
import { CSVS_AT_ONCE, csvPass } from "./visitors/csv-export.ts"
import { csvSchedule } from "./visitors/csv-queue.ts"
import { postSchedule } from "./visitors/scheduled-posts.ts"
import { scheduledPass } from "./visitors/send-scheduled-posts.ts"

/** Loops that look after pauses and a wrong `DOCS_JOB_PATH`. */
const TROUBLE_LOOPS = ["notices", "keys", "refresh"]
/** Maximum passes at once of the loops that may wait long for Slack or the service. */
const AT_ONCE: Readonly<Record<string, number>> = { outbox: 10, polls: 10, csvs: CSVS_AT_ONCE }

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
    const { workerRedis, work, log } = services
    const stop = { stopping: this.#stopping.signal, forceStop: this.#forceStop.signal }
    // Every loop, delivery and creation listens; Node would warn from the eleventh listener on.
    setMaxListeners(0, stop.stopping, stop.forceStop)
    const { keys } = work.settings.projects
    this.#services = services
    const dispatches = queuesOf(keys).map(dispatchOf)
    const pauses = keys.map((project) => queueKeys(project).pause)
    const calendar = [postSchedule, jobKeys.schedule("reminders")]
    const schedules = [...kinds.map(jobKeys.schedule), csvSchedule]
    const waits = schedules.filter((schedule) => !calendar.includes(schedule))
    const watched = { waits, calendar, present: [BUSY, ...pauses] }
    this.#wakes = new Map<string, readonly string[]>([
      ...kinds.map((kind) => [jobKeys.schedule(kind), [kind]] as const),
      [postSchedule, ["posts"]],
      [csvSchedule, ["csvs"]],
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
      const isDispatch = name.startsWith(dispatchOf(""))
      const atOnce = isDispatch ? MAX_CONCURRENT : (AT_ONCE[name] ?? 1)
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

/**
 * Returns the worker's passes by name.
 * @param checkWakeUps looks for what became due without a message about it
 */
function workerPasses(
  services: Services,
  stop: Stop,
  checkWakeUps: () => Promise<number>,
): Record<string, Pass> {
  const { work, workVisitors, limiter, github, secrets, slackMetrics } = services
  const firstCheck = checkOnce(services)
  const sessions = { secrets, forceStop: stop.forceStop, onSurfaceOff: slackMetrics.surfaceOff }
  return {
    // Takes turns by itself, so that a message that waits does not delay the next job's.
    outbox: async () => {
      await firstCheck()
      return deliveryPass(work, stop)
    },
    polls: () => pollPass(work, stop.stopping),
    refresh: () => refreshPass(work),
    notices: () => adminNoticePass(work),
    months: () => monthNoticePass(work),
    keys: () => keyPass(work),
    ...dispatchPasses(services, stop, firstCheck),
    sessions: () => sessionPass(work, sessions),
    ...(github && {
      pulls: () => firstLookPass(work, github),
      watch: () => watchPass(work, github),
      reminders: () => reminderPass(work),
    }),
    results: () => resultsPass(work),
    posts: () => scheduledPass(workVisitors),
    csvs: () => csvPass(workVisitors, stop.stopping),
    care: async () => {
      await firstCheck()
      await limiter.slots.reseedIfLost()
      await recognizeData(work, limiter.memory)
      await noteAlive(work.store)
      return checkWakeUps()
    },
  }
}

/** Makes a loop of its own for each queue, so that a slow service for one does not delay others. */
function dispatchPasses(
  { work, limiter }: Services,
  stop: Stop,
  firstCheck: () => Promise<void>,
): Record<string, Pass> {
  const send: Send = (grant, isLate) => sendToAgent(work, grant, isLate)
  const starting = { slots: limiter.slots, send }
  const passes = queuesOf(work.settings.projects.keys).map((queue): [string, Pass] => [
    dispatchOf(queue),
    async () => {
      await firstCheck()
      const isBusy = await work.store.redis.sismember(BUSY, queue)
      return isBusy === 1 ? dispatchPass(queue, work, starting, stop) : UNTIL_WOKEN
    },
  ])
  return Object.fromEntries(passes)
}

/** Makes the check of what Redis has kept, after which a worker may start jobs. */
function checkOnce({ work, limiter }: Services): () => Promise<void> {
  let checked: Promise<void> | undefined
  const check = async () => {
    // Only then: what this machine sent before waits no more, and needs no decision.
    await limiter.slots.reseedIfLost()
    await recognizeData(work, limiter.memory)
    await trimAudit(work.store, work.settings.auditDays)
  }
  return () => {
    checked ??= check().catch((error: unknown) => {
      checked = undefined
      throw error
    })
    return checked
  }
}
