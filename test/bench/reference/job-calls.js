import { setTimeout as delay } from "node:timers/promises"
import { WebClient } from "@slack/web-api"
import { Redis } from "ioredis"
import { request } from "undici"

/**
 * What a job makes its worker ask of others, through the libraries as they come and with nothing done
 * about the answers. Jobs begin at even intervals; each asks one thing after the other.
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
  const all = []
  for (let n = 0; n < jobs; n += 1) {
    all.push(job(n))
    await delay(ms / jobs)
  }
  await Promise.all(all)
  const { user, system } = process.cpuUsage(before)
  redis.disconnect()
  return (user + system) / 1000
}

/** As long as a card's. */
function section() {
  const text = "The webhooks guide still describes retries with the old delay. ".repeat(3)
  return { type: "section", text: { type: "mrkdwn", text } }
}
