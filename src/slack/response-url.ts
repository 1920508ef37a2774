import type { SlackClient } from "./client.ts"
import { ofCode, SlackError, type SlackFault } from "./slack-error.ts"

/** Time in ms for which Slack accepts a response_url, for at most five answers. */
export const RESPONSE_URL_MS = 30 * 60_000

/** Answers through a response_url. @throws SlackError */
export function postToResponseUrl(client: SlackClient, url: string, content: object) {
  return client.call("response_url", async () => {
    client.checkUrl("response_url", url)
    const headers = { "content-type": "application/json" }
    const request = { method: "POST", headers, body: JSON.stringify(content) }
    const answer = await client.http.send(url, request)
    const body = answer.body.toString("utf8").trim()
    if (answer.status < 300 && /^(ok)?$|"ok":\s*true/.test(body)) return
    throw new SlackError({ method: "response_url", ...refusalIn(answer.status, body) })
  })
}

/** Reads an answer other than `ok` or `{"ok":true}`; even a gateway's page may have status 200. */
function refusalIn(status: number, body: string): SlackFault {
  if (status === 429) return ofCode("ratelimited")
  if (status >= 500) return { verdict: "unknown", code: `http_${status}` }
  // Slack sends the error code in JSON or as a bare word.
  const named = /"error":\s*"([a-z_]{1,60})"/.exec(body)?.[1] ?? /^[a-z_]{1,60}$/.exec(body)?.[0]
  if (named !== undefined) return ofCode(named)
  if (status < 300) return { verdict: "unknown", code: "broken_body" }
  return { verdict: "give_up", code: `http_${status}` }
}
