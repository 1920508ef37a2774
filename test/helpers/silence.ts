import { setTimeout as delay } from "node:timers/promises"
import { dispatchOf, jobKeys, queueKeys, queuesOf } from "../../src/jobs/job-keys.ts"
import { scoresOf } from "../../src/store/schedule-and-leases.ts"
import { currentTime } from "../../src/store/script.ts"
import { isStoreAway } from "../../src/store/server-state.ts"
import { csvSchedule } from "../../src/visitors/csv-queue.ts"
import { postSchedule } from "../../src/visitors/scheduled-posts.ts"
import type { Message } from "../sandbox/slack/index.ts"
import type { TestBed } from "../sandbox/test-bed.ts"
import { hasten } from "./job-verbs.ts"
import { keyOf } from "./reading.ts"
import { queueFacts } from "./waiting.ts"

/** Time in ms from now that counts as due: above every wait between two tries in `FAST_TIMING`. */
const SOON_MS = 400
/** Time in ms within which a bot must have done everything that is due. */
const AT_REST_WITHIN_MS = 30_000
const LOOK_EVERY_MS = 10

export interface WatchedTestBed extends TestBed {
  /** Why the bot still has work when the test ends, such as "the second request waits". */
  goesOn?: string | undefined
  /** Set once another bot has taken over the work. */
  isReplaced?: true
}

type Watched = Pick<WatchedTestBed, "slack" | "docs" | "services" | "goesOn" | "isReplaced"> & {
  readonly bot: Pick<WatchedTestBed["bot"], "worker">
}

/** Lets the bot do everything that is due. Resolves to what the test has not seen of that. */
export async function surprises(testBed: Watched): Promise<string[]> {
  if (testBed.goesOn !== undefined || testBed.isReplaced) return []
  const effects = watchEffects(testBed)
  const open = await untilAtRest(testBed).then(
    () => [],
    (error: unknown) => [String(error)],
  )
  return [...(await effects()).map((effect) => `after the test's last word, ${effect}`), ...open]
}

/**
 * Records what the bot posts, and what it creates or sends to the service's jobs, from now on. Only
 * the result of work that the service has is no surprise: it comes once, whenever that ends.
 */
function watchEffects({ slack, docs, services }: Watched) {
  const posted: Message[] = []
  const unsubscribe = slack.subscribe((change) => {
    if (change.type !== "message_posted" || !change.message.botId || change.message.app) return
    posted.push(change.message)
  })
  const sent = () => [
    ...docs.creations.map(({ prompt }) => `created: ${prompt}`),
    ...docs.projects.flatMap(({ id }) =>
      docs.jobs(id).flatMap(({ messages }) => messages.map(({ prompt }) => `sent: ${prompt}`)),
    ),
  ]
  const before = sent()
  const isExpected = async (message: Message) => {
    const { job, part } = keyOf(message)
    if (!job || !part?.startsWith("result ")) return false
    const all = slack.channels().flatMap(({ id }) => slack.channel(id).all())
    const same = all.filter((other) => keyOf(other).job === job && keyOf(other).part === part)
    return same.length === 1 && (await agentJobOf(services, job)) !== null
  }
  return async () => {
    unsubscribe()
    const after = sent()
    for (const known of before) after.splice(after.indexOf(known), 1)
    const isSurprise = await Promise.all(posted.map(async (one) => !(await isExpected(one))))
    const surprises = posted.filter((_, n) => isSurprise[n])
    return [...surprises.map(({ channel, text }) => `posted in ${channel}: ${text}`), ...after]
  }
}

function agentJobOf({ workerRedis }: Watched["services"], job: string): Promise<string | null> {
  return workerRedis.hget(jobKeys.record(job), "agentJobId")
}

/**
 * Waits until the bot has nothing to do: no message to write, no job to start, no pull request to
 * look at, no post of a schedule. The service's own work may go on. A Redis that a test took
 * away or broke holds nothing that is due.
 * @throws Error naming what is still due after AT_REST_WITHIN_MS
 */
async function untilAtRest(testBed: Watched): Promise<void> {
  await hasten(testBed, "watch").catch(unlessBroken)
  const end = performance.now() + AT_REST_WITHIN_MS
  for (let quiet = 0; quiet < 2; ) {
    const open = (await stillDue(testBed).catch(unlessBroken)) ?? []
    quiet = open.length === 0 ? quiet + 1 : 0
    if (performance.now() > end) throw new Error(`Still due: ${open.join(", ")}`)
    if (quiet < 2) await delay(LOOK_EVERY_MS)
  }
}

function unlessBroken(error: unknown): undefined {
  if (!isStoreAway(error) && !String(error).includes("WRONGTYPE")) throw error
}

async function stillDue(testBed: Watched): Promise<string[]> {
  const { workerRedis: redis, work } = testBed.services
  const soon = (await currentTime({ redis })) + SOON_MS
  const dueIn = async (schedule: string, until = soon) => {
    const entries = await scoresOf({ redis }, schedule)
    // A lease means that a worker is at it now.
    const due = entries.filter(({ score }) => score <= until || !Number.isInteger(score))
    return due.map(({ member }) => `${member} in ${schedule}`)
  }
  const found = await Promise.all([
    dueIn(jobKeys.schedule("outbox")),
    dueIn(jobKeys.schedule("pulls")),
    // Only those that `hasten` made due, at 0.
    dueIn(jobKeys.schedule("watch"), 0),
    dueIn(postSchedule),
    dueIn(csvSchedule),
    ...queuesOf(work.settings.projects.keys).map((queue) => starting(testBed, queue)),
  ])
  return found.flat()
}

/** Starts what may start. Returns the queue's creations under way and those that will follow. */
async function starting(testBed: Watched, queue: string): Promise<string[]> {
  const { workerRedis: redis } = testBed.services
  const { creating, wait } = queueKeys(queue)
  const sending = await redis.zrange(creating, "0", "-1")
  if (sending.length === 0 && (await redis.zcard(wait)) === 0) return []
  if (sending.length === 0) await testBed.bot.worker?.passes[dispatchOf(queue)]?.()
  return [...sending, ...(await startable(testBed, queue))].map((id) => `the creation of ${id}`)
}

/** Returns the queued jobs that nothing holds back but their card: no pause, no full hour, no delay. */
async function startable({ services }: Watched, queue: string): Promise<string[]> {
  const { jobsPerHour, reservedSlots } = services.work.settings.limits
  const { now, slots, waiting, pause } = await queueFacts(services, queue)
  if (pause || slots.length >= jobsPerHour - reservedSlots) return []
  const times = await Promise.all(
    waiting.map((id) => services.workerRedis.hget(jobKeys.record(id), "mayStartAt")),
  )
  return waiting.filter((_, n) => Number(times[n] ?? 0) <= now)
}
