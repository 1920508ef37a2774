import { setMaxListeners } from "node:events"
import type { Services } from "./compose.ts"
import { STOPPING } from "./config/timing.ts"
import { adminNoticePass } from "./jobs/admin-notices.ts"
import { deliveryPass } from "./jobs/deliver.ts"
import { dispatchPass, type Stop } from "./jobs/dispatch.ts"
import { type Ask, type Job, waitingAsks } from "./jobs/job.ts"
import { BUSY, jobKeys, queueKeys } from "./jobs/keys.ts"
import { noteAlive, pauseWhatIsOld } from "./jobs/liveness.ts"
import { forbidden } from "./jobs/pause.ts"
import { placesOf } from "./jobs/places.ts"
import { pollPass } from "./jobs/poll.ts"
import type { RefusedAsk } from "./jobs/prepare.ts"
import type { Words } from "./jobs/prompt.ts"
import { readQueue } from "./jobs/queue-facts.ts"
import { queuesOf } from "./jobs/queues.ts"
import { refreshPass } from "./jobs/refresh.ts"
import { kinds, wayOf } from "./jobs/transitions.ts"
import { tellPrivately } from "./jobs/write.ts"
import { adminNotice } from "./messages/admin-notice.ts"
import { Alarm, UNTIL_WOKEN } from "./runtime/alarm.ts"
import { type Pass, runLoop } from "./runtime/loop.ts"
import { createRates } from "./slack/rates.ts"
import { whenBack } from "./store/connect.ts"
import { createWakeUps } from "./store/wake-ups.ts"
import { scheduledPass } from "./visitors/scheduled.ts"

/** The background side of the bot. Any number of workers may run; they share through Redis. */
export interface Worker {
  /** Every kind of pass by name; each runs in a loop of its own, and tests call them. */
  passes: Readonly<Record<string, Pass>>
  start(): void
  /** Starts no new pass; resolves when the ones in hand have ended. */
  stop(): Promise<void>
}

export function createWorker(services: Services): Worker {
  const { log, workerRedis, projectKeys } = services
  const [stopping, forceStop] = [new AbortController(), new AbortController()]
  const stop = { stopping: stopping.signal, forceStop: forceStop.signal }
  // Everything in flight listens to these: a creation for each project, and dozens of polls.
  setMaxListeners(0, stop.stopping, stop.forceStop)
  const wakes = wakesOf(services)
  const pauses = projectKeys.map((project) => queueKeys(project).pause)
  const schedules = Object.keys(wakes).filter((what) => what !== BUSY && what !== "troubles")
  const wakeUps = createWakeUps(workerRedis, { schedules, present: [BUSY, ...pauses] }, log)
  const { store, health, now } = services.work
  const checked = untilDone(async () =>
    pauseWhatIsOld(store, health, { now: await now(), printOf: services.printOf }),
  )
  const passes: Record<string, Pass> = {
    ...jobPasses(services, stop),
    ...dispatchPasses(services, stop, checked),
    ...services.after.passes(stop),
    posts: () => scheduledPass(services.work.visitors),
    look: async () => {
      await services.work.slots.look()
      await checked()
      await noteAlive(workerRedis, await now())
      return wakeUps.look()
    },
  }
  const alarms = new Map(Object.keys(passes).map((name) => [name, new Alarm()]))
  let loops: Promise<void>[] = []
  return {
    passes,
    start() {
      const { signal } = stopping
      wakeUps.listen((what, inMs) => {
        const named = alarms.has(what) ? [what] : TROUBLES
        for (const loop of wakes[what] ?? named) alarms.get(loop)?.ring(inMs)
      })
      // A Redis that lost its data hears of this process' creations before it grants anything again.
      whenBack(workerRedis, () => alarms.get("look")?.ring())
      loops = Object.entries(passes).map(([name, pass]) =>
        runLoop(name, pass, { signal, log, alarm: alarms.get(name) }),
      )
    },
    async stop() {
      stopping.abort()
      wakeUps.close()
      const timer = setTimeout(() => forceStop.abort(), STOPPING.workMs)
      // Passes that still wait for Redis have not begun anything.
      const nothingToDo = services.inFlight.emptied().then(() => untilAway(services))
      const ended = Promise.all(loops)
      ended.catch(() => {})
      await Promise.race([ended, nothingToDo])
      clearTimeout(timer)
    },
  }
}

/** Does something once, again only where it failed. */
function untilDone(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => {
    done ??= work().catch((error: unknown) => {
      done = undefined
      throw error
    })
    return done
  }
}

/** Loops that look after a queue that is held up. */
const TROUBLES = ["notices", "keys", "refresh"]

/** The loop that starts what waits in a queue; the store tells of it by the same name. */
const dispatchOf = (queue: string) => `dispatch:${queue}`

/** The loops that each schedule wakes, where it is not the one of the same name. */
function wakesOf({ after, work, projectKeys }: Services): Record<string, readonly string[]> {
  return {
    ...Object.fromEntries(kinds.map((kind) => [jobKeys.schedule(kind), [kind]])),
    [BUSY]: [...queuesOf(projectKeys).map(dispatchOf), "refresh"],
    troubles: TROUBLES,
    ...after.wakes,
    [work.visitors.posts.schedule]: ["posts"],
  }
}

/** Resolves once the connection is gone, which the client may notice a moment after a command failed. */
async function untilAway({ workerRedis }: Services): Promise<void> {
  if (workerRedis.status !== "ready") return
  await new Promise<void>((resolve) => workerRedis.once("close", () => resolve()))
}

/** A loop for each queue, so that a service that hangs for one queue does not hold up the others. */
function dispatchPasses(
  { work, docs, timing, gate, outbound, projectKeys, printOf, workerRedis }: Services,
  stop: Stop,
  checked: () => Promise<void>,
): Record<string, Pass> {
  const deps = {
    slots: work.slots,
    docs,
    jobs: work.jobs,
    operations: work.operations,
    gate,
    restMs: timing.restMs,
    moveOut: (id: string, asks: readonly Ask[]) => work.moveOut(id, asks, true),
    async tellRefused(job: Job, refused: RefusedAsk, words: Words) {
      const message = await work.messages.refused(job, refused, words)
      await tellPrivately({ outbound, replyUrl: work.replyUrl }, job, refused.ask.user, message)
    },
    async isForbiddenAlone(queue: string, job: string) {
      let isAlone = false
      await work.health.change(queue, (is, now) => {
        const verdict = forbidden(is, { job, print: printOf(queue), now })
        isAlone = verdict.is === "alone"
        return isAlone ? verdict.health : undefined
      })
      return isAlone
    },
  }
  const passes = queuesOf(projectKeys).map((queue): [string, Pass] => [
    dispatchOf(queue),
    async () => {
      await checked()
      const isBusy = await workerRedis.sismember(BUSY, queue)
      return isBusy === 1 ? dispatchPass(queue, deps, stop) : UNTIL_WOKEN
    },
  ])
  return Object.fromEntries(passes)
}

const PAUSED =
  "the queue is paused: fix the key and press Resume in Slack, or restart with another key"
const RESTORED =
  "the queue is paused: nothing ran for more than an hour, or Redis was restored from a backup. An admin resumes it in Slack, or drops what waits"
const NO_JOB_FOUND = "the service can't find any of the jobs it started; check DOCS_JOB_PATH"

function jobPasses(services: Services, { stopping, forceStop }: Stop): Record<string, Pass> {
  const { config, docs, outbound, limits, work, log, timing, after, projectKeys } = services
  const { jobs, store, health } = work
  const queues = { store, jobs, health, limits, projects: projectKeys }
  const told = services.instrumentation.jobs
  const { lessons } = work
  return {
    outbox: () =>
      deliveryPass({
        ...services.readers,
        jobs,
        outbound,
        messages: work.messages,
        replyUrl: work.replyUrl,
        delayMs: config.startDelayMs,
        tries: timing.tries,
        forceStop,
        inFlight: services.inFlight,
        leaseMs: timing.leaseMs,
        gapMs: timing.gapMs,
        postWithinMs: timing.leaseMs / 2,
        rateLimit: createRates(store, timing.rates),
        places: async (queue) =>
          placesOf(await readQueue(store, health, queue, limits.windowMs), limits),
        hasMessages: work.hasMessages,
        moveOut: (job) => work.moveOut(job.id, waitingAsks(job), wayOf(job, true) === "new_job"),
        onFailed: told.deliveryFailed,
      }),
    polls: () =>
      pollPass({
        jobs,
        docs,
        lessons,
        policy: config.polling,
        leaseMs: timing.leaseMs + config.docs.timeoutMs,
        random: Math.random,
        onPoll: told.polled,
        onFailed: told.pollFailed,
        onLink: after.onLink,
        hasPreviews: async (project) =>
          (await work.operations.presence(project, "preview")) !== "absent",
        signal: stopping,
      }),
    refresh: () => refreshPass(queues, timing.rests.refresh),
    notices: () =>
      adminNoticePass({
        store,
        health,
        lessons,
        projects: projectKeys,
        outbound,
        admins: config.access.admins,
        notice: async (trouble) => {
          const { others, ...facts } = await services.noticeOf(trouble)
          return (admin) => adminNotice({ ...facts, others: others.filter((one) => one !== admin) })
        },
        restMs: timing.rests.adminNotices,
        onTrouble: ({ project, kind }) =>
          log.error(
            { project: services.nameOf(project), reason: kind },
            kind === "job_path" ? NO_JOB_FOUND : kind === "restored" ? RESTORED : PAUSED,
          ),
      }),
    keys: async () => {
      const waiting = await Promise.all(projectKeys.map((project) => lessons.probe(project)))
      return waiting.includes(true) ? Math.min(timing.rests.keyCheck, timing.probeMs) : UNTIL_WOKEN
    },
  }
}
