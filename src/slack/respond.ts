import { type Dispatcher, fetch } from "undici"
import { SlackError, type SlackVerdict } from "../errors/slack-error.ts"
import type { Message } from "../ports/message.ts"
import type { RespondOptions } from "../ports/outbound.ts"
import type { SecretFilter } from "../text/secret-filter.ts"
import { brokenAnswer, ofCode } from "./verdict.ts"

const TIMEOUT_MS = 10_000

interface Sending {
  secrets: SecretFilter
  /** Knows the proxy, where there is one. */
  dispatcher: Dispatcher
}

/**
 * Answers through a response_url: private to the person, and it works where the bot may not post.
 * @throws SlackError `used_url` once Slack stops honouring the URL (5 uses, 30 minutes), and
 * `invalid_blocks` for blocks that the workspace does not take.
 */
export async function respondTo(
  url: string,
  message: Message,
  { replace = false, thread, secrets, dispatcher }: RespondOptions & Sending,
): Promise<void> {
  const body = {
    // Slack takes the type of what is replaced, and was seen to post a second message where one is named.
    ...(replace ? { replace_original: true } : { response_type: "ephemeral" }),
    ...(thread ? { thread_ts: thread } : {}),
    unfurl_links: false,
    unfurl_media: false,
    ...message,
  }
  await send(url, body, { secrets, dispatcher })
}

/** Takes away the message in which the button was. @throws SlackError as above */
export function dismissAt(url: string, sending: Sending): Promise<void> {
  return send(url, { delete_original: true }, sending)
}

async function send(url: string, content: object, { secrets, dispatcher }: Sending): Promise<void> {
  let status: number
  let body: string
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(content),
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
      dispatcher,
    })
    status = answer.status
    body = await answer.text()
  } catch (cause) {
    throw new SlackError(
      { method: "response_url", verdict: "unknown", code: "no_answer" },
      { cause },
    )
  }
  if (status < 300 && /^(ok)?$|"ok":\s*true/.test(body.trim())) return
  const refusal = refusalIn(status, body)
  if (secrets.holds(refusal.code)) throw brokenAnswer("response_url")
  throw new SlackError({ method: "response_url", ...refusal })
}

/**
 * What came instead of `ok` or `{"ok":true}`. A gateway's page comes with status 200 as well, and
 * so does a refusal: if these passed for success, the message would be lost.
 */
function refusalIn(status: number, body: string): { verdict: SlackVerdict; code: string } {
  if (status === 429) return { verdict: "later", code: "ratelimited" }
  if (status >= 500) return { verdict: "unknown", code: `http_${status}` }
  const code = codeIn(body)
  if (code !== undefined) return ofCode(code)
  if (status < 300) return { verdict: "unknown", code: "broken_body" }
  // These say that the address has expired; any other refusal is about what was sent.
  return { verdict: "give_up", code: FORGOTTEN.has(status) ? "used_url" : `http_${status}` }
}

const FORGOTTEN = new Set([403, 404, 410])

/** Slack names what it refused as JSON or as a bare word. */
function codeIn(body: string): string | undefined {
  const named = /"error":\s*"([a-z_]{1,60})"/.exec(body)?.[1]
  return named ?? /^[a-z_]{1,60}$/.exec(body.trim())?.[0]
}
