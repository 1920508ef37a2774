import { setMaxListeners } from "node:events"
import type { Services } from "./compose.ts"
import { STOPPING } from "./config/timing.ts"
import { sessionPass } from "./following/agent-session.ts"
import { deliveryPass } from "./following/deliver.ts"
import { pollPass } from "./following/poll-jobs.ts"
import { auditEntries, trimAudit } from "./jobs/audit-log.ts"
import type { Job } from "./jobs/job.ts"
import { BUSY, dispatchOf, jobKeys, kinds, queueKeys, queuesOf } from "./jobs/job-keys.ts"
import { Alarm, type Pass, runLoop, UNTIL_WOKEN } from "./lib/loop.ts"
import { dispatchPass } from "./limit/dispatch.ts"
import { refreshPass } from "./limit/refresh-positions.ts"
import { probe } from "./limit/refused-key.ts"
import { recognizeData } from "./limit/restored-data.ts"
import { noteAlive } from "./operating/missing-worker.ts"
import { digestOutcomes } from "./operating/report-outcomes.ts"
import { adminNoticePass } from "./operating/tell-admins.ts"
import { tellBudgets } from "./operating/tell-budget.ts"
import { firstLookPass, watchPass } from "./pulls/follow-pulls.ts"
import { resultsPass } from "./pulls/post-results.ts"
import { linkToCard } from "./pulls/read-overview.ts"
import { reminderPass } from "./pulls/send-reminders.ts"
import { isStoreAway } from "./store/server-state.ts"
import { createWakeUps } from "./store/wake-ups.ts"
import { CSV_LOOPS, csvPasses } from "./visitors/csv-export.ts"
import { scheduledPass } from "./visitors/post-scheduled.ts"
import type { Range } from "./visitors/range.ts"

/** Loops to wake if a pause begins or ends, or if `DOCS_JOB_PATH` seems wrong. */
const TROUBLES = ["notices", "keys", "refresh"]
/** Maximum passes at once of the loops that may wait long for Slack or the service. */
const AT_ONCE = 10

/** Creates the background loops. Any number of workers share the work through Redis. */
export function createWorker(services: Services) {
  const { config, log, workerRedis, work, slack, github } = services
  const { projectKeys } = work
  const [stopping, forceStop] = [new AbortController(), new AbortController()]
  const stop = { stopping: stopping.signal, forceStop: forceStop.signal }
  // Every loop, delivery and creation listens; Node would warn from the eleventh listener on.
  setMaxListeners(0, stop.stopping, stop.forceStop)
  const queues = queuesOf(projectKeys)
  const wakes: Record<string, readonly string[]> = {
    ...Object.fromEntries(kinds.map((kind) => [jobKeys.schedule(kind), [kind]])),
    [BUSY]: [...queues.map(dispatchOf), "refresh"],
    [work.posts.schedule]: ["posts"],
    [work.csvs.schedule]: CSV_LOOPS,
  }
  const pauses = projectKeys.map((project) => queueKeys(project).pause)
  const calendar = [work.posts.schedule, jobKeys.schedule("reminders")]
  const waits = Object.keys(wakes).filter((what) => what !== BUSY && !calendar.includes(what))
  const alarms = new Map<string, Alarm>()
  const ring = (what: string, inMs: number) => {
    // A job that may start, or must wait for a slot: its card then says which place it has.
    const named = alarms.has(what) ? [what, "refresh"] : TROUBLES
    for (const loop of wakes[what] ?? named) alarms.get(loop)?.ring(inMs)
  }
  const watched = { waits, calendar, present: [BUSY, ...pauses] }
  const wakeUps = createWakeUps(workerRedis, watched, ring, log)
  let isChecked = false
  const check = async () => {
    if (isChecked) return
    // Only then: what this machine sent before waits no more, and needs no decision.
    await work.slots.reseedIfLost()
    await recognizeData(work)
    await trimAudit(work)
    isChecked = true
  }
  // Each queue has its own loop, so that a slow service for one does not delay the others.
  const dispatching = queues.map((queue): [string, Pass] => [
    dispatchOf(queue),
    async () => {
      await check()
      const isBusy = await workerRedis.sismember(BUSY, queue)
      return isBusy === 1 ? dispatchPass(queue, work, stop) : UNTIL_WOKEN
    },
  ])
  const reported = {
    now: work.now,
    requests: () => auditEntries(work),
    facts: {
      auditDays: work.auditDays,
      gitHubHost: config.gitHubHost,
      isFollowed: github !== undefined,
    },
  }
  const outcomeLines = (project: string, range: Range) => digestOutcomes(reported, project, range)
  const resultsNeeds = {
    redis: workerRedis,
    jobs: work.jobs,
    outbound: work.outbound,
    isPublicChannel: slack.publicChannels(workerRedis),
    nameOfPerson: async (user: string) => (await work.profileOf(user)).name,
    permalink: (job: Job) => linkToCard(work, job),
    settings: {
      gitHubHost: config.gitHubHost,
      leaseMs: work.timing.leaseMs,
      againMs: work.timing.tries.unreachableMs,
    },
  }
  const passes: Record<string, Pass> = {
    // Takes turns by itself, so that a message that waits does not delay the next job's.
    outbox: () => deliveryPass(work, stop),
    polls: () => pollPass(work, stop.stopping),
    refresh: () => refreshPass(work),
    notices: () => adminNoticePass(work, log),
    budget: async () => {
      if (work.limits.jobsPerMonth === 0) return UNTIL_WOKEN
      await tellBudgets(work, log)
      return work.timing.careMs
    },
    keys: async () => {
      const { careMs, probeMs } = work.timing
      const waiting = await Promise.all(projectKeys.map((project) => probe(work, project)))
      return waiting.includes(true) ? Math.min(careMs, probeMs) : UNTIL_WOKEN
    },
    ...Object.fromEntries(dispatching),
    sessions: () =>
      sessionPass({
        ...work,
        secrets: services.secrets,
        isInside: slack.isInside,
        forceStop: stop.forceStop,
        onSurfaceOff: services.slackMetrics.surfaceOff,
      }),
    ...(github && {
      pulls: () => firstLookPass({ ...work, ...github, github: github.pulls, log }),
      watch: () => watchPass({ ...work, ...github, github: github.pulls, log }),
      reminders: () => reminderPass({ ...work, reminderDays: config.reminderDays }),
    }),
    results: () => resultsPass(resultsNeeds),
    posts: () => scheduledPass({ ...work, outcomeLines }),
    ...csvPasses({ ...work, log }, stop.stopping),
    care: async () => {
      await work.slots.reseedIfLost()
      await check()
      await recognizeData(work)
      await noteAlive(work)
      return wakeUps.check()
    },
  }
  for (const name of Object.keys(passes)) alarms.set(name, new Alarm())
  let loops: Promise<void>[] = []
  return {
    /** Passes by name, for tests; each runs in a loop of its own. */
    passes,

    start(): void {
      const { signal } = stopping
      loops = Object.entries(passes).map(([name, pass]) => {
        const atOnce = name === "outbox" || name === "polls" ? AT_ONCE : 1
        const alarm = alarms.get(name)
        return runLoop(name, pass, { signal, log, alarm, atOnce, isReported: isStoreAway })
      })
    },

    /** Starts no new pass; resolves when those in flight have ended or only Redis is missing. */
    async stop(): Promise<void> {
      stopping.abort()
      wakeUps.close()
      const timer = setTimeout(() => forceStop.abort(), STOPPING.workMs)
      // If Redis is unavailable, the loops would wait for it. They may be cut off, as in a crash:
      // the next process looks up or repeats their last step.
      const away = new Promise<void>((resolve) => {
        if (workerRedis.status === "ready") workerRedis.once("close", () => resolve())
        else resolve()
      })
      await Promise.race([Promise.all(loops), away])
      clearTimeout(timer)
    },
  }
}
