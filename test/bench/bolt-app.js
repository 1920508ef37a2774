import { App } from "@slack/bolt"

/** Minimal Bolt app for comparison: the library's own receiver, one command and its ack. */
const app = new App({
  token: process.env.SLACK_BOT_TOKEN,
  signingSecret: process.env.SLACK_SIGNING_SECRET,
  convoStore: false,
  clientOptions: { slackApiUrl: process.env.SLACK_API_URL },
})
app.command("/docs-agent", async ({ ack }) => ack())

const server = await app.start(0)
process.stdout.write(`${JSON.stringify({ port: server.address().port, msg: "started" })}\n`)
