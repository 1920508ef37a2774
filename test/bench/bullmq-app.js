import { App } from "@slack/bolt"
import { DelayedError, Queue, Worker } from "bullmq"
import { Redis } from "ioredis"
import { request } from "undici"

/**
 * Bolt app for comparison, as one would write it with a job queue from npm. It puts each command into
 * BullMQ before its ack; as `all`, a worker posts a card, creates the job, polls it and posts the reply.
 * It has no limit, no fair order, no memory of what was posted, and no answer to any failure.
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
  const { channel_id: channel, user_id: user, text } = command
  await queue.add("ask", { channel, user, text })
  await ack()
})

/** Interval in ms at which each job is polled. */
const POLL_MS = Number(process.env.POLL_MIN_MS ?? 5000)
const JOBS = `${process.env.DOCS_API_URL}/v2/agent/${process.env.DOCS_PROJECT_ID}/job`

async function call(url, options = {}) {
  const headers = {
    authorization: `Bearer ${process.env.DOCS_API_KEY}`,
    "content-type": "application/json",
  }
  const { body } = await request(url, { headers, ...options })
  return body.json()
}

async function work(job, token) {
  const { channel, user, text, thread, id } = job.data
  if (id) {
    const { status, prLink } = await call(`${JOBS}/${id}`)
    if (status !== "active") {
      const words = `<@${user}> Your pull request is ready: ${prLink}`
      await app.client.chat.postMessage({ channel, thread_ts: thread, text: words })
      return
    }
  } else {
    const card = await app.client.chat.postMessage({ channel, text: `<@${user}> asked: ${text}` })
    const body = JSON.stringify({ prompt: text })
    const created = await call(JOBS, { method: "POST", body })
    await job.updateData({ ...job.data, thread: card.ts, id: created.id })
  }
  await job.moveToDelayed(Date.now() + POLL_MS, token)
  throw new DelayedError()
}

if (process.argv[2] === "all") new Worker("requests", work, { connection, concurrency: 20 })

const server = await app.start(0)
process.stdout.write(`${JSON.stringify({ port: server.address().port, msg: "started" })}\n`)
