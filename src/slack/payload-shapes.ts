import { z } from "zod"

/**
 * What Bolt reads of a payload without asking whether it is there: without these it would throw, and
 * Slack would send a payload again that can never be understood. Everything else is read and checked
 * by the handler that needs it.
 */

const object = z.object({})
/** With half a character in it an id cannot be sent back to Slack, in no encoding. */
const id = z.string().regex(/^\P{Cs}*$/u)
const withId = z.object({ id })
/** Bolt tells the kinds apart by these fields, whatever `type` says. */
const absent = z.undefined().optional()

const event = z.object({
  type: z.literal("event_callback"),
  event: z.object({
    type: z.string(),
    user: z.union([id, withId]).optional(),
    channel: z.union([id, withId]).optional(),
    item: object.optional(),
    subteam: object.optional(),
  }),
  authorizations: z.array(object).nullish(),
})

const command = z.object({
  type: z.string().optional(),
  event: absent,
  command: z.string(),
  team_id: id,
  user_id: id,
  channel_id: id.optional(),
})

const interaction = {
  event: absent,
  command: absent,
  name: absent,
  user: withId,
  team: object.nullish(),
  enterprise: object.nullish(),
  channel: object.optional(),
}

const click = z.object({
  ...interaction,
  type: z.literal("block_actions"),
  actions: z.array(z.object({ action_id: z.string(), block_id: z.string().optional() })).min(1),
})

const form = z.object({
  ...interaction,
  actions: absent,
  type: z.enum(["view_submission", "view_closed"]),
  view: z.object({ callback_id: z.string() }),
  response_urls: z.array(object).optional(),
})

const shortcut = z.object({
  ...interaction,
  actions: absent,
  type: z.enum(["message_action", "shortcut"]),
  callback_id: z.string(),
})

const payload = z.union([command, event, click, form, shortcut])

/**
 * Can Bolt be given this payload? It goes on as it is: a copy of all that Slack sends would only be
 * made to be thrown away.
 */
export function isSlackPayload(body: unknown): body is { type?: string; command?: string } {
  return payload.safeParse(body).success
}

const rateNotice = z.object({ type: z.literal("app_rate_limited") })

/** Slack's word that it leaves out events of this minute (Events API, "Rate limiting"); Bolt knows none. */
export function isRateNotice(body: unknown): boolean {
  return rateNotice.safeParse(body).success
}
