import { z } from "zod"

/** A person by id or handle: `U0ADA00001`, `ada` and `@ada` are the same. */
const person = z.string().min(1)
/** A channel by id or name: `C0DOCS0001`, `docs` and `#docs` are the same. */
const channel = z.string().min(1)
const ts = z.string().regex(/^\d+\.\d{6}$/, "must be a message's `ts`")

const messageRef = z.object({ channel, ts })
/** Where somebody clicks: a message, their Home tab or the modal on top. */
const target = z.union([z.literal("home"), z.literal("modal"), messageRef])

/** Which element; `block` tells equal action ids apart. */
const element = { as: person, target, action: z.string(), block: z.string().optional() }

const WEEK_MINUTES = 10_080

/** The bodies of the API, by address: everything that a person at the page can do. */
export const requests = {
  /** Sends a message, or carries out a slash command, exactly as typed into the composer. */
  say: z.object({ as: person, channel, text: z.string(), thread: ts.optional() }),
  click: z.object({ ...element, value: z.string().optional() }),
  select: z.object({ ...element, option: z.string() }),
  submit: z.object({ as: person, values: z.record(z.string(), z.string()).default({}) }),
  "close-modal": z.object({ as: person }),
  shortcut: z.object({ as: person, channel, ts, callback: z.string() }),
  home: z.object({ as: person }),
  /** Opens the app's Messages tab, and the conversation with it where there was none. */
  "messages-tab": z.object({ as: person }),
  /** Slack's Stop button in the thread with this root. */
  stop: z.object({ as: person, channel, ts }),
  /** Makes the app an agent, an ordinary app, or one whose plan has no agents. */
  agent: z.object({ surface: z.enum(["declared", "undeclared", "disabled"]) }),
  membership: z.object({ channel, member: z.boolean() }),
  /** Moves time on for everybody: the people, the bot and the service. */
  time: z.strictObject({ minutes: z.int().min(1).max(WEEK_MINUTES) }),
} as const

export type RequestName = keyof typeof requests
export type RequestBody<N extends RequestName> = z.input<(typeof requests)[N]>
