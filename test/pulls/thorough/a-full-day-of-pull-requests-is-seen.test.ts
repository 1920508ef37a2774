import { expect, test } from "vitest"
import type { Changed } from "../../../src/jobs/change.ts"
import { jobKeys } from "../../../src/jobs/job-keys.ts"
import { PULL_INTERVALS } from "../../../src/pulls/github-schedule.ts"
import { afterTheLink } from "../../helpers/after-the-link.ts"
import { dice } from "../../helpers/dice.ts"
import { push, TOKEN } from "../../helpers/github.ts"
import { followedJob, keepJob } from "../../helpers/job.ts"
import { useRedis } from "../../helpers/redis.ts"
import type { PullAction } from "../../sandbox/github/pull.ts"

// Sends what a pass says of its pull requests together: most of the test's time goes into sending.
const redis = useRedis({ enableAutoPipelining: true })
const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000]
const STEP_MS = 5000
/** Time limit in ms: it computes all the time, and other tests may leave it a third of a core. */
const LONG_MS = 180_000
const [AN_HOUR, HOURS] = [99, 8]
/** Limit of a token: "5,000 requests per hour". */
const GITHUB_LIMIT = 5000

type News = "opened" | "review" | "merge"
const SEEN: Record<News, (pull: Changed["job"]["pull"]) => boolean> = {
  opened: (pull) => pull?.lookedAt !== undefined,
  review: (pull) => pull?.review !== undefined,
  merge: (pull) => pull?.state === "merged",
}

test(
  "PUL-5: of 99 new pull requests an hour for eight hours, all open, no news comes late",
  async () => {
    const seed = Date.now() % 1_000_000
    const roll = dice(seed)
    const open = new Map<string, number>()
    const delays: Record<News, number[]> = { opened: [], review: [], merge: [] }
    const h = await afterTheLink(redis(), {
      isConnected: false,
      onChange({ job, now }) {
        for (const news of Object.keys(SEEN) as News[]) {
          const since = open.get(`${news} ${job.id}`)
          if (since === undefined || !SEEN[news](job.pull)) continue
          open.delete(`${news} ${job.id}`)
          delays[news].push(now - since)
        }
      },
    })
    const start = h.clock.now
    const until = start + HOURS * HOUR_MS
    const events: { at: number; number: number; news: News }[] = []
    for (let n = 0; n < AN_HOUR * HOURS; n += 1) {
      const at = start + (n * HOUR_MS) / AN_HOUR
      const number = 1000 + n
      // All stay open until the last half hour, in which one of twenty is merged.
      const merged = roll.between(until - 30 * MINUTE_MS, until)
      const isMerged = n % 20 === 0 && merged > at
      events.push({ at, number, news: "opened" })
      if (isMerged) events.push({ at: merged, number, news: "merge" })
      else
        events.push({ at: roll.between(at + MINUTE_MS, until + MINUTE_MS), number, news: "review" })
    }
    events.sort((a, b) => a.at - b.at)

    // Only a new link wakes the loop of first looks, which would find nothing in most steps.
    let firstLookAt = Number.POSITIVE_INFINITY
    async function happens({ at, number, news }: (typeof events)[number]) {
      const id = `pull${number}`
      open.set(`${news} ${id}`, at)
      if (news !== "opened") return void h.github.act("acme/docs", number, ACTIONS[news])
      push(h.github, { number })
      await keepJob(redis(), followedJob({ id, pull: { number, since: at } }), [])
      await redis().zadd(jobKeys.schedule("pulls"), at + PULL_INTERVALS.firstMs, id)
      firstLookAt = Math.min(firstLookAt, at + PULL_INTERVALS.firstMs)
    }

    let mostUsed = 0
    let nextPass = start
    while (h.clock.now < until + 15 * MINUTE_MS) {
      // Fewer passes than in production, which look at one or two pull requests each.
      const nextAt = Math.min(nextPass, firstLookAt, events[0]?.at ?? nextPass)
      h.clock.now = Math.max(h.clock.now + STEP_MS, nextAt)
      while (events[0] && events[0].at <= h.clock.now) await happens(events.shift() as never)
      if (h.clock.now >= firstLookAt) firstLookAt = h.clock.now + (await h.passFirstLooks())
      nextPass = h.clock.now + Math.max(1, await h.passWatched())
      mostUsed = Math.max(mostUsed, h.github.rate(TOKEN)?.used ?? 0)
    }
    const latest = (news: News) => Math.max(...delays[news]) / MINUTE_MS
    const shown = {
      seed,
      mostUsed,
      opened: latest("opened"),
      review: latest("review"),
      merge: latest("merge"),
    }
    expect({ ...shown, unseen: [...open.keys()] }).toMatchObject({ unseen: [] })
    expect(shown.opened, JSON.stringify(shown)).toBeLessThan(1)
    expect(shown.review, JSON.stringify(shown)).toBeLessThan(15)
    expect(shown.merge, JSON.stringify(shown)).toBeLessThan(15)
    expect(shown.mostUsed, JSON.stringify(shown)).toBeLessThan(GITHUB_LIMIT / 2)
  },
  LONG_MS,
)

const ACTIONS: Record<Exclude<News, "opened">, PullAction> = {
  review: { do: "review", by: "ben", state: "CHANGES_REQUESTED" },
  merge: { do: "merge", by: "ben" },
}
