import { z } from "zod"

/**
 * What Bolt reads of a payload without asking whether it is there: without these it would throw, and
 * Slack would send a payload again that can never be understood. Everything else is read and checked
 * by the handler that needs it.
 */

const object = z.looseObject({})
/** With half a character in it an id cannot be sent back to Slack, in no encoding. */
const id = z.string().regex(/^\P{Cs}*$/u)
const withId = z.looseObject({ id })
/** Bolt tells the kinds apart by these fields, whatever `type` says. */
const absent = z.undefined().optional()

const event = z.looseObject({
  type: z.literal("event_callback"),
  event: z.looseObject({
    type: z.string(),
    user: z.union([id, withId]).optional(),
    channel: z.union([id, withId]).optional(),
    item: object.optional(),
    subteam: object.optional(),
  }),
  authorizations: z.array(object).nullish(),
})

const command = z.looseObject({
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

const click = z.looseObject({
  ...interaction,
  type: z.literal("block_actions"),
  actions: z
    .array(z.looseObject({ action_id: z.string(), block_id: z.string().optional() }))
    .min(1),
})

const form = z.looseObject({
  ...interaction,
  actions: absent,
  type: z.enum(["view_submission", "view_closed"]),
  view: z.looseObject({ callback_id: z.string() }),
})

const shortcut = z.looseObject({
  ...interaction,
  actions: absent,
  type: z.enum(["message_action", "shortcut"]),
  callback_id: z.string(),
})

/** A payload that Bolt can be given. */
export const slackPayload = z.union([event, command, click, form, shortcut])
