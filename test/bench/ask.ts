import { request } from "undici"
import { ADA, BEN, CLEO, DOCS, signatureHeaders, TEAM } from "../sandbox/slack/index.ts"
import { SECRETS } from "../sandbox/test-bed.ts"

const PEOPLE = [ADA, BEN, CLEO]

/** Sends one signed `/docs-agent` command as Slack does. Resolves to the response time in ms. */
export async function ask(port: number, n: number): Promise<number> {
  const url = `http://127.0.0.1:${port}/slack/events`
  const { headers, body } = signed(n)
  const sent = performance.now()
  const answer = await request(url, { method: "POST", headers, body })
  const text = await answer.body.text()
  if (answer.statusCode !== 200) throw new Error(`Not accepted: ${answer.statusCode} ${text}`)
  return performance.now() - sent
}

/** Returns a unique command from somebody who may make requests. */
function signed(n: number) {
  const body = new URLSearchParams({
    team_id: TEAM,
    team_domain: "local-docs",
    channel_id: DOCS,
    channel_name: "docs",
    user_id: PEOPLE[n % PEOPLE.length] ?? ADA,
    command: "/docs-agent",
    text: `Page ${n} of the webhooks guide still describes retries with the old delay. Say that deliveries are retried for a day, add the header that carries the attempt, and link to the reference.`,
    api_app_id: "A0DOCSAGENT",
    response_url: `http://127.0.0.1:9/commands/${TEAM}/${n}/0a1b2c3d4e5f6a7b8c9d0e1f`,
    trigger_id: `${n}.2141029472.691e462f79379679`,
  }).toString()
  const now = Math.floor(Date.now() / 1000)
  const type = { "content-type": "application/x-www-form-urlencoded" }
  return { body, headers: { ...type, ...signatureHeaders(SECRETS.signingSecret, now, body) } }
}
