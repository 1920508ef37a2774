import { setTimeout as delay } from "node:timers/promises"
import { Redis } from "ioredis"
import { expect, test } from "vitest"
import { projectKey } from "../../../src/config/projects.ts"
import { queueKeys } from "../../../src/jobs/job-keys.ts"
import { startBot } from "../../helpers/process.ts"
import { startTestRedis } from "../../helpers/redis.ts"
import { letGrant } from "../../helpers/redis-server.ts"
import {
  ADA,
  BEN,
  CLEO,
  DOCS,
  EDITORS,
  type LocalSlack,
  SHARED,
} from "../../sandbox/slack/index.ts"
import { eventsUrl, SECRETS, startOtherParties } from "../../sandbox/test-bed.ts"

/** Ceiling of the hour, and number of requests by two people in three channels. */
const CEILING = 12
const ASKED = 21
/** Prompt of the third person's only request. */
const LONE = "a single request"

/** Repeats a command as people do, if the busy bot or Slack reports that it took too long. */
async function insist(slack: LocalSlack, person: string, channel: string, words: string) {
  for (;;) {
    const { shown } = await slack.as(person).slash(channel, "/docs-agent", words)
    // An accepted command gets no reply, as its card appears.
    if (!shown || /made this request/.test(shown.text)) return
  }
}

test("a burst of prompts at Slack's pace, one worker killed: the hour holds, nothing twice, the rest waits", async () => {
  await using redis = await startTestRedis()
  const store = new Redis(redis.url)
  await letGrant(store)
  const { slack, docs, env: base } = await startOtherParties({ slack: { rateLimits: "slack" } })
  docs.planAll({ ending: "never", afterMs: 0 })
  const env = {
    ...base,
    REDIS_URL: redis.url,
    PORT: "0",
    JOBS_PER_HOUR: String(CEILING),
    RESERVED_SLOTS: "0",
    MAX_QUEUED_PER_USER: String(ASKED),
    LOG_LEVEL: "info",
    START_DELAY_SECONDS: "0",
  }
  await using web = await startBot("web", env)
  await using first = await startBot("worker", env)
  await using second = await startBot("worker", env)
  slack.setEventsUrl(eventsUrl(web.port))

  // Slack accepts one post per second and channel: three channels triple the pace of the cards.
  const places = [
    { person: ADA, channel: EDITORS },
    { person: BEN, channel: SHARED },
    { person: ADA, channel: DOCS },
  ]
  const bulk = Promise.all(
    Array.from({ length: ASKED / places.length }, (_, n) =>
      places.map(({ person, channel }) =>
        insist(slack, person, channel, `burst prompt ${n} of ${person} in ${channel}`),
      ),
    ).flat(),
  )
  // Waits for the middle of the creations.
  while (docs.creations.length < CEILING / 2) await delay(20)
  await Promise.all([insist(slack, CLEO, DOCS, LONE), first.kill("SIGKILL")])
  const asked = docs.creations.length
  await bulk
  const queue = queueKeys(projectKey(docs.url, SECRETS.project))
  const creating = () => store.zcard(queue.creating)
  while ((await store.zcard(queue.log)) < CEILING || (await creating()) > 0) await delay(100)
  const waiting = await store.zrange(queue.wait, "0", "-1")
  const shown = await slack.until(
    (s) => {
      const cards = places.flatMap(({ channel }) => s.channel(channel).messages())
      const placed = cards.filter((m) => /queued · starts around [\s\S]* in line/.test(m.text))
      return placed.length >= waiting.length && placed
    },
    { timeoutMs: 240_000 },
  )

  // Behind the words, a line asks for the thread's link in the pull request.
  const prompts = docs.creations.map(({ prompt }) => prompt.split("\n")[0] ?? "")
  expect(prompts.length).toBeGreaterThanOrEqual(CEILING - 2)
  expect(prompts.length).toBeLessThanOrEqual(CEILING)
  expect(new Set(prompts).size).toBe(prompts.length)
  expect(waiting.length).toBeGreaterThanOrEqual(ASKED - CEILING)
  expect(shown.length).toBeGreaterThanOrEqual(waiting.length)
  const passed = prompts.slice(asked, prompts.indexOf(LONE))
  expect(prompts).toContain(LONE)
  // One creation per person may already be in progress, and one more may come first.
  for (const person of [ADA, BEN])
    expect(passed.filter((prompt) => prompt.includes(person)).length).toBeLessThanOrEqual(2)
  // Each request was created, waits, or was reported as uncertain after the worker's death.
  expect(waiting.length + prompts.length).toBeGreaterThanOrEqual(ASKED - 1)
  expect(second.lines.filter((line) => line.includes('"level":"error"'))).toEqual([])
  expect(slack.violations).toEqual([])
  store.disconnect()
  await slack.close()
  await docs.close()
})
