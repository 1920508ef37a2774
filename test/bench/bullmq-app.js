import { App } from "@slack/bolt"
import { DelayedError, Queue, Worker } from "bullmq"
import { Redis } from "ioredis"
import { request } from "undici"

/** Interval in ms at which each job is polled. */
const POLL_MS = Number(process.env.POLL_MIN_MS)

/**
 * Bolt app for comparison, as one would write it with a job queue from npm: it puts each command
 * into BullMQ before its ack. As `all`, it also creates a job of each and polls it for ever.
 */
const app = new App({
  token: process.env.SLACK_BOT_TOKEN,
  signingSecret: process.env.SLACK_SIGNING_SECRET,
  convoStore: false,
  clientOptions: { slackApiUrl: process.env.SLACK_API_URL },
})
const connection = new Redis(process.env.REDIS_URL, { maxRetriesPerRequest: null })
const queue = new Queue("requests", { connection })

app.command("/docs-agent", async ({ command, ack }) => {
  await queue.add("ask", { words: command.text })
  await ack()
})

const jobs = `${process.env.DOCS_API_URL}/v2/agent/${process.env.DOCS_PROJECT_ID}/job`
const headers = {
  authorization: `Bearer ${process.env.DOCS_API_KEY}`,
  "content-type": "application/json",
}

async function work(job, token) {
  const { id, words } = job.data
  if (id) {
    const { body } = await request(`${jobs}/${id}`, { headers })
    await body.json()
  } else {
    const body = JSON.stringify({ prompt: words })
    const created = await request(jobs, { method: "POST", headers, body })
    await job.updateData({ words, id: (await created.body.json()).id })
  }
  await job.moveToDelayed(Date.now() + POLL_MS, token)
  throw new DelayedError()
}

if (process.argv[2] === "all") new Worker("requests", work, { connection, concurrency: 20 })

const server = await app.start(0)
process.stdout.write(`${JSON.stringify({ port: server.address().port, msg: "started" })}\n`)
