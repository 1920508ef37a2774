import type { WebClient } from "@slack/web-api"
import { type Dispatcher, EnvHttpProxyAgent } from "undici"
import { z } from "zod"
import type { Secret } from "../config/secret.ts"
import type { FileFacts, ReadFile, UnreadReason } from "../ports/files.ts"
import { download } from "./download.ts"
import { fileFacts } from "./message-files.ts"
import { toSlackError } from "./verdict.ts"

/** 100 kB, however one counts them. */
const MOST_BYTES = 100 * 1024

const found = z.object({
  mode: z.string().optional(),
  is_external: z.boolean().optional(),
  url_private: z.string().optional(),
  url_private_download: z.string().optional(),
})
type Found = z.infer<typeof found>

/** What Slack says of a file that it does not tell about (files.info); the rest is `unavailable`. */
const REFUSED: Readonly<Record<string, UnreadReason>> = {
  missing_scope: "no_permission",
  not_allowed_token_type: "no_permission",
  file_deleted: "deleted",
  file_not_found: "not_shared",
  access_denied: "not_shared",
}

/**
 * Reads text files. Slack is asked about each first: an event tells little of a file from another
 * workspace ("you will need an additional API call to view a file's properties"), and it may have been
 * deleted since.
 */
export function createReadFile(client: WebClient, token: Secret): ReadFile {
  const dispatcher = new EnvHttpProxyAgent()
  return async (file, signal) => {
    try {
      const { facts, shown } = await look(client, file)
      const unread = reasonIn(facts, shown)
      if (unread) return { file: facts, unread }
      const url = shown.url_private_download ?? shown.url_private ?? ""
      return { file: facts, ...(await content(url, facts, { client, token, signal, dispatcher })) }
    } catch (cause) {
      const error = toSlackError("files.info", cause)
      if (error.verdict === "later" && !signal.aborted) throw error
      return { file, unread: REFUSED[error.code] ?? "unavailable" }
    }
  }
}

async function look(
  client: WebClient,
  file: FileFacts,
): Promise<{ facts: FileFacts; shown: Found }> {
  const answer = await client.files.info({ file: file.id })
  return { facts: fileFacts(answer.file) ?? file, shown: found.catch({}).parse(answer.file) }
}

/** Why not even to try. */
function reasonIn(facts: FileFacts, shown: Found): UnreadReason | undefined {
  if (facts.state) return facts.state
  if (shown.is_external || shown.mode === "external") return "external"
  if (!isCalledText(facts)) return "not_text"
  if (facts.size === 0) return "empty"
  return facts.size !== undefined && facts.size > MOST_BYTES ? "too_large" : undefined
}

const TEXT_TYPES =
  /^(text\/.+|application\/(.+\+)?(json|x?-?yaml|x-ndjson|markdown|x-diff|x-patch))$/
const TEXT_NAMES = /\.(md|mdx|markdown|rst|adoc|txt|json|jsonl|ya?ml|diff|patch)$/i

/** Is it text by type, or by name where the type says nothing? Its bytes are looked at all the same. */
function isCalledText({ type = "", name = "" }: FileFacts): boolean {
  if (TEXT_TYPES.test(type)) return true
  return /^(application\/octet-stream)?$/.test(type) && TEXT_NAMES.test(name)
}

async function content(
  url: string,
  { type = "" }: FileFacts,
  how: { client: WebClient; token: Secret; signal: AbortSignal; dispatcher: Dispatcher },
): Promise<{ text: string } | { unread: UnreadReason }> {
  const isPage = type.startsWith("text/html")
  const bytes = await download(url, { ...how, isPage, mostBytes: MOST_BYTES })
  if (bytes === "unavailable" || bytes === "too_large") return { unread: bytes }
  if (bytes.length === 0) return { unread: "empty" }
  const text = textOf(bytes)
  return text === undefined ? { unread: "not_text" } : { text }
}

/** Undefined for what is no text: its type is anybody's word. */
function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
