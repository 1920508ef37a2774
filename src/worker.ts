import { adminNoticePass } from "./jobs/admin-notices.ts"
import { announcePass } from "./jobs/announce.ts"
import { dispatchPass } from "./jobs/dispatch.ts"
import { moved, placesOf } from "./jobs/places.ts"
import { pollPass } from "./jobs/poll.ts"
import { refreshPass } from "./jobs/refresh.ts"
import { type Pass, runLoop } from "./runtime/loop.ts"
import type { Services } from "./services.ts"
import { adminNotice } from "./views/admin-notice.ts"
import { jobCard } from "./views/card.ts"
import { closingReply } from "./views/closing.ts"
import { cannotPost } from "./views/refusals.ts"

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
  const stopping = new AbortController()
  const passes = createPasses(services, stopping.signal)
  let loops: Promise<void>[] = []
  return {
    passes,
    start() {
      const { signal } = stopping
      loops = Object.entries(passes).map(([name, pass]) => runLoop(name, pass, { signal, log }))
    },
    async stop() {
      stopping.abort()
      await Promise.all(loops)
    },
  }
}

function createPasses(services: Services, signal: AbortSignal): Record<string, Pass> {
  const { config, docs, outbound, limits, work, log } = services
  const places = async (project: string) => placesOf(await work.queue.facts(project), limits)
  const views = { card: jobCard, closing: closingReply, cannotPost }
  const passes: Record<string, Pass> = {
    announce: () =>
      announcePass(
        { outbox: work.outbox, jobs: work.jobs, outbound, views, readTalk: work.readTalk, places },
        moved,
      ),
    poll: () =>
      pollPass(
        { queue: work.polls, docs, now: Date.now, random: Math.random },
        config.polling,
        (job, result, found) => {
          if (result !== "ok" && result !== "not_found")
            log.info({ job: job.id, project: job.project, result }, "a poll got no answer")
          if (found.ending) log.info({ job: job.id, ending: found.ending }, "a job ended")
        },
      ),
  }
  for (const { name } of config.docs.projects) {
    passes[`dispatch ${name}`] = () =>
      dispatchPass(name, { slots: work.slots, docs }, signal, ({ job }, outcome) =>
        log.info({ job: job.id, project: name, outcome: outcome.kind }, "a creation was tried"),
      )
    passes[`refresh ${name}`] = () => refreshPass(name, work.queue, limits)
    passes[`notices ${name}`] = () =>
      adminNoticePass(name, {
        queue: work.queue,
        outbound,
        admins: config.access.admins,
        view: adminNotice,
        onUntold: (project, pause) =>
          log.error(
            { project, reason: pause.reason },
            "the queue is paused until somebody acts; set ADMIN_USERS to be told in Slack",
          ),
      })
  }
  return passes
}
