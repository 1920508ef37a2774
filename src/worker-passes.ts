import type { Services } from "./compose.ts"
import { sessionPass } from "./following/agent-session.ts"
import { deliveryPass } from "./following/deliver.ts"
import { pollPass } from "./following/poll-jobs.ts"
import { trimAudit } from "./jobs/audit-log.ts"
import { BUSY, dispatchOf, queuesOf } from "./jobs/job-keys.ts"
import { type Pass, UNTIL_WOKEN } from "./lib/loop.ts"
import { dispatchPass, type Stop } from "./limit/dispatch.ts"
import { refreshPass } from "./limit/queue-positions.ts"
import { keyPass } from "./limit/refused-key.ts"
import { recognizeData } from "./limit/restored-backup.ts"
import { noteAlive } from "./operating/missing-worker.ts"
import { digestOutcomes } from "./operating/requests-report.ts"
import { adminNoticePass, budgetPass, redisFullPass } from "./operating/tell-admins.ts"
import { firstLookPass, watchPass } from "./pulls/follow-pulls.ts"
import { resultsPass } from "./pulls/post-results.ts"
import { reminderPass } from "./pulls/reminders.ts"
import { csvPasses } from "./visitors/csv-export.ts"
import type { Range } from "./visitors/range.ts"
import { scheduledPass } from "./visitors/send-scheduled-posts.ts"

/**
 * Returns the worker's passes by name.
 * @param checkWakeUps looks for what became due without a message about it
 */
export function workerPasses(
  services: Services,
  stop: Stop,
  checkWakeUps: () => Promise<number>,
): Record<string, Pass> {
  const { work, workVisitors, limiter, github, secrets, slackMetrics } = services
  const firstCheck = checkOnce(services)
  const outcomeLines = (project: string, range: Range) => digestOutcomes(work, project, range)
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
    room: () => redisFullPass(work),
    budget: () => budgetPass(work),
    keys: () => keyPass(work),
    ...dispatchPasses(services, stop, firstCheck),
    sessions: () => sessionPass(work, sessions),
    ...(github && {
      pulls: () => firstLookPass(work, github),
      watch: () => watchPass(work, github),
      reminders: () => reminderPass(work),
    }),
    results: () => resultsPass(work),
    posts: () => scheduledPass(workVisitors, outcomeLines),
    ...csvPasses(workVisitors, stop.stopping),
    care: async () => {
      await limiter.slots.reseedIfLost()
      await firstCheck()
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
  const passes = queuesOf(work.settings.projects.keys).map((queue): [string, Pass] => [
    dispatchOf(queue),
    async () => {
      await firstCheck()
      const isBusy = await work.store.redis.sismember(BUSY, queue)
      return isBusy === 1 ? dispatchPass(queue, work, limiter.slots, stop) : UNTIL_WOKEN
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
