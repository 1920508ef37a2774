import { WebAPIPlatformError, type WebClient } from "@slack/web-api"
import { z } from "zod"
import type { ProfileSource } from "../access/gate.ts"
import { orSlackError, SlackError } from "../errors/slack-error.ts"
import type { ReadTalk } from "../jobs/prepare.ts"
import { mentionedUsers, toPlainText } from "../text/plain-text.ts"
import type { Identity } from "./identity.ts"
import { toSlackError, UNREADABLE_CODES } from "./verdict.ts"

const message = z.object({
  ts: z.string(),
  user: z.string().optional(),
  bot_id: z.string().optional(),
  username: z.string().optional(),
  text: z.string().default(""),
  files: z.array(z.object({ name: z.string().nullish() })).default([]),
})
type SlackMessage = z.infer<typeof message>

const page = z.object({ messages: z.array(message).default([]) })

/** 1,000 messages: the quoted talk keeps far fewer. */
const MOST_PAGES = 5
/** People of a thread who are called by their names; the others keep their ids. */
const MOST_NAMES = 100
/** Here a thread that is gone is one that cannot be read; to a lookup it says that nothing was posted. */
const UNREADABLE = new Set([
  ...UNREADABLE_CODES,
  "thread_not_found",
  "method_not_supported_for_channel_type",
])

/** Reads threads for the context of a prompt; the bot's own messages are left out. */
export function createReadTalk(
  client: WebClient,
  me: () => Promise<Pick<Identity, "user" | "bot">>,
  profileOf: ProfileSource,
): ReadTalk {
  return async ({ channel, thread }, { from, until }) => {
    try {
      const found = await readAll(client, channel, thread, from, until)
      const ours = await me()
      const talk = found.filter(
        (m) => m.ts < until && (!from || m.ts > from) && !isOurs(m, ours) && hasContent(m),
      )
      const names = await namesOf(talk, profileOf)
      return talk.map((m) => ({
        speaker: (m.user && names.get(m.user)) ?? m.username ?? m.user ?? "an app",
        text: toPlainText(m.text, names),
        files: m.files.flatMap((file) => file.name ?? []),
      }))
    } catch (cause) {
      if (cause instanceof WebAPIPlatformError && UNREADABLE.has(cause.data.error))
        return "unreadable"
      throw toSlackError("conversations.replies", cause)
    }
  }
}

async function readAll(
  client: WebClient,
  channel: string,
  thread: string,
  from: string | undefined,
  until: string,
): Promise<SlackMessage[]> {
  const found: SlackMessage[] = []
  const options = { channel, ts: thread, limit: 200, latest: until, oldest: from }
  let pages = 0
  for await (const answer of client.paginate("conversations.replies", options)) {
    found.push(...page.parse(answer).messages)
    pages += 1
    if (pages === MOST_PAGES) break
  }
  return found
}

function isOurs(m: SlackMessage, me: Pick<Identity, "user" | "bot">): boolean {
  return m.user === me.user || (m.bot_id !== undefined && m.bot_id === me.bot)
}

function hasContent(m: SlackMessage): boolean {
  return m.text.trim() !== "" || m.files.length > 0
}

async function namesOf(talk: readonly SlackMessage[], profileOf: ProfileSource) {
  // Who spoke comes before who was spoken of; each name may be a question to Slack.
  const speakers = talk.flatMap((m) => m.user ?? [])
  const ids = new Set([...speakers, ...talk.flatMap((m) => mentionedUsers(m.text))])
  const pairs = await Promise.all(
    [...ids].slice(0, MOST_NAMES).map(async (id) => {
      const profile = await profileOf(id).catch(orSlackError)
      return [id, profile instanceof SlackError ? undefined : profile.name] as const
    }),
  )
  return new Map(pairs.flatMap(([id, name]) => (name ? [[id, name] as const] : [])))
}
