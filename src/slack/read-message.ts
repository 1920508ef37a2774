import { z } from "zod"
import { truncate } from "../lib/truncate.ts"
import {
  attachmentWords,
  isForwarded,
  type Json,
  joinDistinct,
  list,
  MAX_ATTACHMENTS,
  MAX_CHARS,
  record,
  string,
  wordsOf,
} from "./block-text.ts"

export const fileShape = z.object({
  id: z.string(),
  name: z.string().optional(),
  /** MIME type that Slack reports; it may be wrong. */
  type: z.string().optional(),
  /** Kind that is no ordinary file; people know it by this name. */
  kind: z.enum(["canvas", "snippet", "voice_clip", "video_clip"]).optional(),
  /** Size that Slack reports, in bytes; it may be wrong. */
  size: z.number().optional(),
  /** Author as in `Author`; absent if Slack has yet to say. */
  by: z.string().optional(),
})
export type FileFacts = z.infer<typeof fileShape>

/**
 * Author of a text: a person's id; `team:` and the id of the workspace whose app it is; or "" if
 * Slack does not say. Absent for Slackbot, which is of every workspace.
 */
export type Author = string | undefined

export const quoteShape = z.object({
  by: z.string().optional(),
  text: z.string(),
})
/** Message that a request passes on. */
export type Quote = z.infer<typeof quoteShape>

/** Maximum files of a message: people attach up to ten, but forwarded messages bring more. */
const MAX_FILES = 50
const MAX_NAME = 255

const text = z.string().optional()

/**
 * Slack's own bot. `users.info` calls it a person, and its notices, reminders and automatic answers
 * often carry neither a `bot_id` nor a subtype.
 */
export const SLACKBOT = "USLACKBOT"

/** Parses a message. Keeps only its text and files, because blocks are many times larger. */
export const messageShape = z
  .object({
    ts: z.string(),
    thread_ts: text,
    user: text,
    bot_id: text,
    username: text,
    bot_profile: z.object({ name: text, team_id: text }).optional().catch(undefined),
    text: z.string().default(""),
    blocks: z.unknown().optional(),
    attachments: z.unknown().optional(),
    files: z.unknown().optional(),
  })
  .transform(({ ts, thread_ts, bot_id: bot, username, bot_profile: own, ...message }) => {
    const user = personIn(message.user)
    const by = message.user ? user : appOf(own?.team_id)
    const attachments = list(message.attachments).filter((one) => !isForwarded(record(one)))
    const text = wordsOf({ ...message, attachments })
    const [files, forwards] = [filesOf(message, by), forwardsOf(message.attachments)]
    // "Some bot_messages also include username …. If present these override the default username".
    const app = username || own?.name || (message.user === SLACKBOT ? "Slackbot" : undefined)
    return { ts, thread_ts, user, by, bot, app, text, files, forwards }
  })

function appOf(team: string | undefined): Author {
  return team === undefined ? "" : `team:${team}`
}

/** Returns the author unless it is Slackbot, which counts as an app. */
function personIn(author: string | undefined): string | undefined {
  return author === SLACKBOT ? undefined : author
}

/** Returns what a message passes on, apart from its own words, because others said it. */
export function forwardsOf(attachments: unknown): Quote[] {
  const forwarded = list(attachments).map(record).filter(isForwarded).slice(0, MAX_ATTACHMENTS)
  return forwarded.flatMap((one) => {
    const text = wordsOf({ text: "", attachments: [one] })
    return text === "" ? [] : { by: personIn(string(one.author_id)), text }
  })
}

/**
 * Returns what a message has beside its text, such as a pasted table, of which Slack shows nothing
 * in `text`, `blocks` or `files`. Leaves out forwarded messages and previews of links in the text.
 */
export function pastedIn(message: { text: string; attachments?: unknown }): string {
  const own = list(message.attachments).map(record)
  const pasted = own.filter((one) => !isForwarded(one)).slice(0, MAX_ATTACHMENTS)
  return truncate(joinDistinct(pasted.map((one) => attachmentWords(one, message.text))), MAX_CHARS)
}

const fileName = z
  .string()
  .transform((words) => truncate(words, MAX_NAME) || undefined)
  .optional()

/** Shape of Slack's own file object. Slack sends only the id of a deleted one, and little more in Slack Connect. */
const slackFile = z
  .object({
    id: z.string().min(1),
    user: text.catch(undefined),
    name: fileName,
    mimetype: fileName,
    subtype: text.catch(undefined),
    mode: text.catch(undefined),
    size: z.number().nonnegative().optional(),
  })
  .transform(({ id, user, name, mimetype: type, subtype = "", mode, size }): FileFacts => {
    const kind = KINDS[subtype] ?? KINDS[type ?? ""] ?? (mode === "snippet" ? mode : undefined)
    // Without a name, Slack says nothing else about the file, and the size that it sends isn't real.
    const by = personIn(user || undefined)
    return { id, name, type, kind, size: name ? size : undefined, by }
  })

/** Files with a name of their own in Slack, by their subtype or MIME type. */
const KINDS: Readonly<Record<string, FileFacts["kind"]>> = {
  slack_audio: "voice_clip",
  slack_video: "video_clip",
  "application/vnd.slack-docs": "canvas",
}

export function fileFacts(shown: unknown): FileFacts | undefined {
  return slackFile.safeParse(shown).data
}

/** Returns a message's files and those that it passes on. @param by author of the message */
export function filesOf(message: { files?: unknown; attachments?: unknown }, by?: Author) {
  const passedOn = list(message.attachments)
    .map(record)
    .flatMap((one) => filesBy(isForwarded(one) ? string(one.author_id) : by, one.files))
  const found = [...filesBy(by, message.files), ...passedOn]
  return [...new Map(found.map((one) => [one.id, one])).values()].slice(0, MAX_FILES)
}

function filesBy(author: Author, files: unknown): FileFacts[] {
  return list(files).flatMap((shown) => {
    const facts = fileFacts(shown)
    return facts ? { ...facts, by: facts.by ?? authorOfFile(author, record(shown)) } : []
  })
}

/**
 * Returns the message's author as the file's, unless it is a file of Slack Connect, of which only
 * `files.info` says whose it is ("check_file_info").
 */
function authorOfFile(author: Author, { file_access }: Json): Author {
  return file_access === "check_file_info" ? undefined : personIn(author)
}
