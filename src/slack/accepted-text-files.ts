import { isUtf8 } from "node:buffer"
import type { FilesInfoResponse } from "@slack/web-api"
import { cleanJson } from "../lib/secrets.ts"
import { stopwatch } from "../lib/time.ts"
import type { SlackClient } from "./client.ts"
import { type FileFacts, fileFacts } from "./read-message.ts"
import { orSlackError, SlackError } from "./slack-error.ts"

export const unreadReasons = [
  "not_text",
  "too_large",
  "empty",
  "no_permission",
  "not_shared",
  "unavailable",
  "no_room",
] as const
export type UnreadReason = (typeof unreadReasons)[number]

export type FileRead = { file: FileFacts; text: string } | { file: FileFacts; unread: UnreadReason }

/** Reads a file, `unavailable` if it takes longer. @throws SlackError with verdict `later` */
export type ReadFile = (file: FileFacts, withinMs: number) => Promise<FileRead>

export type UnreadFile = FileFacts & { why: UnreadReason }

/** Maximum size of a file in bytes; messages derive their kB from it, `README.md` does not. */
export const MAX_BYTES = 100 * 1024

/** Types that Slack gives to text files; it calls some of them a stream of bytes. */
const TEXT_TYPES =
  /^(text\/.+|application\/(.+\+)?(json|x?-?yaml|x-ndjson|markdown|x-diff|x-patch))$/
const TEXT_NAMES = /\.(md|mdx|markdown|rst|adoc|txt|json|jsonl|ya?ml|diff|patch)$/i

type Shown = NonNullable<FilesInfoResponse["file"]>

/** Codes for an app without the permission `files:read`. */
const NO_PERMISSION = ["missing_scope", "not_allowed_token_type"]

/**
 * Reads text files. Asks Slack about each first: an event contains little about another workspace's
 * file ("you will need an additional API call to view a file's properties"), and somebody may have
 * deleted it since.
 */
export function createReadFile(client: SlackClient): ReadFile {
  return async (file, withinMs) => {
    const spent = stopwatch()
    const told = await client.files.info({ file: file.id }).catch(orSlackError)
    if (told instanceof SlackError) {
      if (told.verdict === "later" && spent() < withinMs) throw told
      const isNoText = reasonUnread(file) === "not_text"
      if (NO_PERMISSION.includes(told.code))
        return { file, unread: isNoText ? "not_text" : "no_permission" }
      return { file, unread: told.verdict === "give_up" ? "not_shared" : "unavailable" }
    }
    const facts = fileFacts(cleanJson(client.secrets, told.file)) ?? file
    return { file: facts, ...(await content(client, facts, told.file ?? {}, withinMs)) }
  }
}

async function content(
  client: SlackClient,
  facts: FileFacts,
  shown: Shown,
  withinMs: number,
): Promise<{ text: string } | { unread: UnreadReason }> {
  const unread = reasonUnread(facts)
  if (unread) return { unread }
  const url = shown.url_private_download ?? shown.url_private ?? ""
  const isPage = facts.type?.startsWith("text/html") ?? false
  // A firewall may block the host of files for good, so the request does not wait for it.
  const answer = await download(client, url, isPage, withinMs).catch(() => undefined)
  if (!answer) return { unread: "unavailable" }
  if (answer.isCut) return { unread: "too_large" }
  if (answer.body.length === 0) return { unread: "empty" }
  // Checks the bytes as well, because the claimed type proves nothing.
  const isText = isUtf8(answer.body) && !answer.body.includes(0)
  if (!isText) return { unread: "not_text" }
  return { text: client.secrets.cleanWritten(new TextDecoder().decode(answer.body)) }
}

/**
 * Downloads a file; returns undefined if Slack sends none. Sends the token only to Slack's own
 * hosts, and follows no redirection: Slack redirects whom it does not know to its sign-in page.
 * @param isPage true if the file itself is an HTML page
 * @throws SlackError `foreign_url` for an address that is not Slack's
 */
async function download(client: SlackClient, url: string, isPage: boolean, withinMs: number) {
  client.checkUrl("files.download", url)
  const headers = { authorization: `Bearer ${client.token}` }
  const answer = await client.http.send(url, { headers, withinMs }, MAX_BYTES)
  // If the token may not read the file, the sign-in page may also come with status 200.
  const isForm = answer.headers.get("content-type")?.startsWith("text/html") && !isPage
  return answer.status === 200 && !isForm ? answer : undefined
}

/** Returns why a file is not even read, or undefined if it claims to be a text of this size. */
export function reasonUnread(facts: FileFacts): UnreadReason | undefined {
  const { name, size } = facts
  if (name === undefined) return "not_shared"
  if (!isCalledText(facts)) return "not_text"
  if (size === 0) return "empty"
  return size !== undefined && size > MAX_BYTES ? "too_large" : undefined
}

/** Returns whether a file claims to be text; its bytes are checked as well. */
function isCalledText({ type = "", name = "", kind }: FileFacts): boolean {
  // Slack gives snippets of some languages types of their own.
  if (kind !== undefined) return kind === "snippet"
  if (TEXT_TYPES.test(type)) return true
  return /^(application\/octet-stream)?$/.test(type) && TEXT_NAMES.test(name)
}
