import type { Typed } from "../asking/parse-typed-text.ts"
import type { Reply } from "../asking/work-after-ack.ts"
import type { Draft, NewRequest } from "../jobs/request-record.ts"
import type { Message } from "../slack/message-types.ts"
import type * as payloads from "../slack/payloads.ts"

/** Handles what Slack sent, of this kind. */
export type On<Payload> = (payload: Payload) => Promise<Reply>
/** Handles a command if it is meant; resolves to undefined for a request to the agent. */
type IfMeant = (command: payloads.Command) => Promise<Reply | undefined>
type Words = Extract<Typed, { words: string }>

/** Use cases that listeners call, bound to one connection to Redis by `web.ts`. */
export interface Verbs {
  ask: {
    typed: (incoming: Omit<NewRequest, "project">, typed: Words) => Promise<Message | undefined>
    words: (command: payloads.Command, typed: Exclude<Typed, Words>) => Promise<Reply>
    message: On<payloads.MessageEvent>
    openForm: (
      opener: payloads.Command | payloads.Click | payloads.Shortcut,
      given?: Partial<Draft>,
      about?: { quoting?: payloads.Shortcut["message"]; project?: string | undefined },
    ) => Promise<void>
    form: On<payloads.SentForm>
  }
  stop: On<payloads.SessionStopped>
  openHome: On<payloads.HomeOpened>
  visitors: On<payloads.Command>
  outcomes: { report: IfMeant; results: IfMeant }
  admins: { doctor: On<payloads.Command>; audit: On<payloads.Command> }
  forget: On<payloads.Command>
  /** Use cases of each button and menu, by `action_id`. */
  buttons: Readonly<Record<string, On<payloads.Click>>>
}
