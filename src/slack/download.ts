import { type Dispatcher, fetch, type Response } from "undici"
import type { Secret } from "../config/secret.ts"
import { onlyToSlack } from "./slack-url.ts"

/** From Slack's files to where it keeps them, and not in circles. */
const MOST_HOPS = 3

interface Download {
  client: { slackApiUrl: string }
  token: Secret
  /** Is the file itself an HTML page? A page that comes for any other file is not its content. */
  isPage: boolean
  mostBytes: number
  signal: AbortSignal
  /** Knows the proxy, where there is one. */
  dispatcher: Dispatcher
}

/**
 * The content of a file in Slack. The token goes to Slack's own hosts alone, wherever the address leads:
 * `fetch` would follow it to any. No more than `mostBytes` and a chunk is taken in, whatever the file's
 * size is said to be.
 * @throws SlackError `foreign_url` for an address that is not Slack's
 */
export async function download(
  url: string,
  options: Download,
): Promise<Uint8Array | "too_large" | "unavailable"> {
  try {
    const answer = await open(url, options)
    return isContent(answer, options) ? await take(answer, options.mostBytes) : drop(answer)
  } catch (error) {
    if (error instanceof TypeError || options.signal.aborted) return "unavailable"
    throw error
  }
}

async function open(
  url: string,
  { client, token, signal, dispatcher }: Download,
): Promise<Response> {
  let at = url
  for (let hops = 0; ; hops += 1) {
    onlyToSlack("files.download", at, client)
    const headers = { authorization: `Bearer ${token.reveal()}` }
    const answer = await fetch(at, { headers, redirect: "manual", signal, dispatcher })
    const next = answer.headers.get("location")
    if (answer.status < 300 || answer.status >= 400 || next === null || hops === MOST_HOPS)
      return answer
    await answer.body?.cancel()
    at = new URL(next, at).href
  }
}

/** Slack answers a token that may not read the file with its sign-in page, and status 200. */
function isContent(answer: Response, { isPage }: Download): boolean {
  const type = answer.headers.get("content-type") ?? ""
  return (
    answer.ok &&
    !new URL(answer.url).searchParams.has("redir") &&
    (isPage || !type.startsWith("text/html"))
  )
}

async function drop(answer: Response): Promise<"unavailable"> {
  await answer.body?.cancel()
  return "unavailable"
}

async function take({ body }: Response, mostBytes: number): Promise<Uint8Array | "too_large"> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  // Leaving the loop ends the download.
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (bytes > mostBytes) return "too_large"
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
