import { setMaxListeners } from "node:events"
import { RESTS, STOPPING } from "./config/timing.ts"
import { abandonedPass } from "./jobs/abandoned.ts"
import { adminNoticePass } from "./jobs/admin-notices.ts"
import { deliveryPass } from "./jobs/deliver.ts"
import { dispatchPass, type Stop } from "./jobs/dispatch.ts"
import { Dispatching } from "./jobs/dispatch-all.ts"
import { keyCheckPass } from "./jobs/key-check.ts"
import { placesOf } from "./jobs/places.ts"
import { pollPass } from "./jobs/poll.ts"
import { refreshPass } from "./jobs/refresh.ts"
import { createPollLessons } from "./jobs/service-health.ts"
import { sleepingLoops } from "./jobs/wake-ups.ts"
import type { JobViews } from "./jobs/worker-ports.ts"
import { previewPass } from "./previews/preview-pass.ts"
import { Alarm } from "./runtime/alarm.ts"
import { isWorthALine, type Pass, runLoop } from "./runtime/loop.ts"
import { pullPolling } from "./services/pull-polling.ts"
import type { Services } from "./services/services.ts"
import { sessionPass } from "./sessions/session-pass.ts"
import { adminNotice } from "./views/admin-notice.ts"
import { jobCard } from "./views/card.ts"
import { closingReply } from "./views/endings.ts"
import { cannotPost } from "./views/post-refusals.ts"
import { previewAbsent } from "./views/preview.ts"
import { pullReminder } from "./views/pull-life.ts"
import { sessionTitle } from "./views/session-title.ts"
import { unreadFilesMessage } from "./views/unread-files.ts"
import { alertPass } from "./visitors/alerts/pass.ts"
import { digestPass } from "./visitors/digests/pass.ts"
import { exportPass } from "./visitors/export-pass.ts"

/** The background side of the bot. Any number of workers may run; they share through Redis. */
export interface Worker {
  /** Every kind of pass by name; each runs in a loop of its own, and tests call them. */
  passes: Readonly<Record<string, Pass>>
  start(): void
  /** Starts no new pass; resolves when the ones in hand have ended. */
  stop(): Promise<void>
}

export function createWorker(services: Services): Worker {
  const { log } = services
  const [stopping, forceStop] = [new AbortController(), new AbortController()]
  const stop = { stopping: stopping.signal, forceStop: forceStop.signal }
  // Everything in flight listens to these: a creation for each project, and dozens of polls.
  setMaxListeners(0, stop.stopping, stop.forceStop)
  const { wakeUps } = services.work
  const alarms = new Map<string, Alarm>(sleepingLoops.map((name) => [name, new Alarm()]))
  const dispatching = createDispatching(services, stop, (restMs) =>
    alarms.get("dispatch")?.ring(restMs),
  )
  const passes = {
    ...createPasses(services, stop),
    dispatch: () => dispatching.pass(),
    look: () => wakeUps.look(),
  }
  let loops: Promise<void>[] = []
  return {
    passes,
    start() {
      const { signal } = stopping
      wakeUps.listen((loop, inMs, queue) => {
        if (loop === "dispatch") dispatching.hear(queue)
        alarms.get(loop)?.ring(inMs)
      })
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
      const ended = Promise.all([...loops, dispatching.settled()])
      ended.catch(() => {})
      await Promise.race([ended, nothingToDo])
      clearTimeout(timer)
    },
  }
}

/** Resolves once the connection is gone, which the client may notice a moment after a command failed. */
async function untilAway({ workerRedis }: Services): Promise<void> {
  if (workerRedis.status !== "ready") return
  await new Promise<void>((resolve) => workerRedis.once("close", () => resolve()))
}

function createDispatching(
  { work, docs, log, timing }: Services,
  stop: Stop,
  onRest: (restMs: number) => void,
): Dispatching {
  const { slots, operations } = work
  const deps = { slots, docs, operations, restMs: timing.restMs }
  return new Dispatching({
    queue: work.queue,
    dispatch: (queue) => dispatchPass(queue, deps, stop),
    onRest,
    onFailed(queue, error, failures) {
      if (isWorthALine(failures))
        log.error({ queue, failures, error }, "starting jobs failed; retrying")
    },
  })
}

const jobViews: JobViews = {
  card: jobCard,
  closing: closingReply,
  reminder: pullReminder,
  cannotPost,
  unreadFiles: unreadFilesMessage,
}

const PAUSED =
  "the queue is paused: fix the key and press Resume in Slack, or restart with another DOCS_API_KEY"
const ABANDONED = "ending the jobs of a project that is no longer configured; their cards say so"
const NO_JOB_FOUND = "the service can't find any of the jobs it started; check DOCS_JOB_PATH"

function createPasses(services: Services, { stopping, forceStop }: Stop): Record<string, Pass> {
  const { config, docs, outbound, limits, work, log, instrumentation, pulls, audit } = services
  const places = async (queue: string) => placesOf(await work.queue.facts(queue), limits)
  const names = config.docs.projects.map(({ name }) => name)
  const deployment = { projects: names, gitHubHost: config.gitHubHost }
  const { outbox, jobs, polls: queue, readers } = work
  const postWithinMs = services.timing.leaseMs / 2
  const lessons = createPollLessons(work.health, work.register)
  const { deliveryFailed, pollFailed } = instrumentation.jobs
  const posting = { outbox, jobs, outbound, readers, places, postWithinMs, forceStop }
  const writing = { ...posting, ...deployment, views: jobViews }
  const onLink = pulls?.onLink
  const hasPreviews = async (project: string) =>
    (await work.operations.presence(project, "preview")) !== "absent"
  const more = { onLink, hasPreviews }
  const asking = { queue, docs, lessons, random: Math.random, signal: stopping, ...more }
  return {
    announce: () =>
      deliveryPass({ ...writing, inFlight: services.inFlight, onFailed: deliveryFailed }),
    poll: () =>
      pollPass({ ...asking, onFailed: pollFailed }, config.polling, instrumentation.jobs.polled),
    exports: () => exportPass(work.visitors.exports),
    digests: () => digestPass(work.visitors.digests),
    alerts: () => alertPass(work.visitors.alerts),
    refresh: () => refreshPass(work.queue, limits),
    notices: () =>
      adminNoticePass({
        queue: work.queue,
        health: work.health,
        projects: names,
        outbound,
        admins: config.access.admins,
        view: adminNotice,
        onTrouble: ({ project, kind }) =>
          log.error({ project, reason: kind }, kind === "job_path" ? NO_JOB_FOUND : PAUSED),
      }),
    projects: () =>
      abandonedPass({
        register: work.register,
        jobs,
        slots: work.slots,
        queue: work.queue,
        onAbandoned: (project) => log.error({ project }, ABANDONED),
      }),
    previews: () =>
      previewPass({
        previews: work.previews,
        jobs,
        docs,
        operations: work.operations,
        outbound,
        intervals: services.timing.previews,
        absent: previewAbsent,
      }),
    sessions: () =>
      sessionPass({
        sessions: work.sessions,
        jobs,
        outbound,
        title: ({ words }) => sessionTitle(services.secrets.clean(words)),
        beginWithinMs: postWithinMs,
        forceStop,
        isOutside: services.isOutside,
        onOff: (code) => instrumentation.slack.surfaceOff(code),
      }),
    audit: async () => {
      await audit.trim()
      return RESTS.audit
    },
    ...(pulls ? { pulls: pullPolling(services, pulls) } : {}),
    keys: () =>
      keyCheckPass({
        queue: work.queue,
        health: work.health,
        docs,
        projects: names,
        probeMs: services.timing.probeMs,
        onAccepted: (project) =>
          log.info({ project }, "the service accepts the key again; the queue resumes"),
      }),
  }
}
