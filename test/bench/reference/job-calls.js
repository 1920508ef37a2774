import { setTimeout as delay } from "node:timers/promises"
import { WebClient } from "@slack/web-api"
import { Redis } from "ioredis"
import { request } from "undici"

const LANES = 16

/**
 * What a job makes its worker ask of others, through the libraries as they come and with nothing done
 * about the answers. Each job asks one thing after the other.
 */
process.on("message", (order) => {
  void run(order).then((cpuMs) => process.send?.(cpuMs))
})
process.on("disconnect", () => process.exit())
process.send?.("ready")

/** @returns CPU of all of it, ms */
async function run({ jobs, ms, calls, redisUrl, slack, poll }) {
  const redis = new Redis(redisUrl)
  const web = new WebClient(slack.token, { slackApiUrl: slack.url })
  const blocks = Array.from({ length: 3 }, () => section())
  const asked = {
    posts: () => web.chat.postMessage({ channel: slack.channel, text: "a card", blocks }),
    polls: async () => (await request(poll.url, { headers: poll.headers })).body.json(),
    roundTrips: () => redis.get("nothing"),
  }
  /** So many of each as the jobs so far have in all. */
  const job = async (n) => {
    for (const [kind, ask] of Object.entries(asked)) {
      const count = Math.floor((n + 1) * calls[kind]) - Math.floor(n * calls[kind])
      for (let i = 0; i < count; i += 1) await ask()
    }
  }
  const before = process.cpuUsage()
  await (ms > 0 ? spread(job, jobs, ms) : backToBack(job, jobs))
  const { user, system } = process.cpuUsage(before)
  redis.disconnect()
  return (user + system) / 1000
}

/** Jobs begin at even intervals. */
async function spread(job, jobs, ms) {
  const all = []
  for (let n = 0; n < jobs; n += 1) {
    all.push(job(n))
    await delay(ms / jobs)
  }
  await Promise.all(all)
}

/** So many at a time that the process always has something to do. */
async function backToBack(job, jobs) {
  const lanes = Array.from({ length: LANES }, async (_, first) => {
    for (let n = first; n < jobs; n += LANES) await job(n)
  })
  await Promise.all(lanes)
}

/** As long as a card's. */
function section() {
  const text = "The webhooks guide still describes retries with the old delay. ".repeat(3)
  return { type: "section", text: { type: "mrkdwn", text } }
}
