import { readFile } from "node:fs/promises"
import { WebClient } from "@slack/web-api"
import { check, checkedShape } from "./check.ts"

/** Payloads that `npm test` wrote: every message and view by its kind. */
const PAYLOADS = new URL("../../coverage/messages.json", import.meta.url)

const token = process.env.SLACK_BOT_TOKEN
const written = await readFile(PAYLOADS, "utf8").catch(() => undefined)
if (!token || written === undefined) {
  process.stderr.write("Set SLACK_BOT_TOKEN, and run `npm test` first: it writes the messages.\n")
  process.exit(1)
}
const payloads = checkedShape.parse(JSON.parse(written))
const slackApiUrl = process.env.SLACK_API_URL
const client = new WebClient(token, slackApiUrl ? { slackApiUrl } : {})
let refused = 0
for (const payload of payloads) {
  const faults = await check(client, payload)
  if (faults.length > 0) refused += 1
  for (const fault of faults) process.stdout.write(`${payload.name}: ${fault}\n`)
}
process.stdout.write(`Slack rejects ${refused} of ${payloads.length} messages and views\n`)
process.exitCode = refused > 0 ? 1 : 0
