import { z } from "zod"
import type { InputErrors } from "../slack/index.ts"

/** Person by id or handle: `U0ADA00001`, `ada` and `@ada` are the same. */
const person = z.string().min(1)
/** Channel by id or name: `C0DOCS0001`, `docs` and `#docs` are the same. */
const channel = z.string().min(1)
const ts = z.string().regex(/^\d+\.\d{6}$/, "must be a message's `ts`")

const messageRef = z.object({ channel, ts })
/** Place of a click: a message, the Home tab or the topmost modal. */
const target = z.union([z.literal("home"), z.literal("modal"), messageRef])

/** Address of an element; `block` tells equal action ids apart. */
const element = { as: person, target, action: z.string(), block: z.string().optional() }

const WEEK_MINUTES = 10_080

/** Bodies of the API by address, for everything that a person can do on the page. */
export const requests = {
  /** Sends a message or runs a slash command, exactly as typed into the composer. */
  say: z.object({
    as: person,
    channel,
    text: z.string(),
    thread: ts.optional(),
    files: z.array(z.object({ name: z.string().min(1), content: z.string() })).optional(),
    /** Rows of a pasted table. */
    table: z.array(z.array(z.string())).optional(),
  }),
  /** Replaces the text of one's own message. */
  edit: z.object({ as: person, channel, ts, text: z.string() }),
  click: z.object(element),
  select: z.object({ ...element, option: z.string() }),
  submit: z.object({ as: person, values: z.record(z.string(), z.string()).default({}) }),
  "close-modal": z.object({ as: person }),
  shortcut: z.object({ as: person, channel, ts, callback: z.string() }),
  "global-shortcut": z.object({ as: person, callback: z.string() }),
  home: z.object({ as: person }),
  /** Opens the app's Messages tab, and the conversation with the app if there was none. */
  "messages-tab": z.object({ as: person }),
  /** Clicks Slack's Stop button in the thread with this root. */
  stop: z.object({ as: person, channel, ts }),
  /** Makes the app an agent, an ordinary app, or one whose plan has no agents. */
  agent: z.object({ surface: z.enum(["declared", "undeclared", "disabled"]) }),
  /** Moves time forward for the people, the bot and the service. */
  time: z.strictObject({ minutes: z.int().min(1).max(WEEK_MINUTES) }),
} as const

export type RequestName = keyof typeof requests
export type ParsedBody<N extends RequestName> = z.output<(typeof requests)[N]>
export type RequestBody<N extends RequestName> = z.input<(typeof requests)[N]>

/** Parts of the answers that the page reads. */
interface Answers {
  readonly say: { readonly notice?: string }
  readonly submit: { readonly submission: { readonly errors: InputErrors } }
  readonly "messages-tab": { readonly channel: string }
}
export type Answer<N extends RequestName> = N extends keyof Answers ? Answers[N] : object

/** Rejected request from the page; the message says what would be valid. */
export class RequestError extends Error {
  override name = "RequestError"
  readonly status: number

  constructor(status: number, message: string, options?: ErrorOptions) {
    super(message, options)
    this.status = status
  }
}
