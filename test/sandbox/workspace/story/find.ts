import type { LocalSlack } from "../../slack/local-slack.ts"
import type { Message } from "../../slack/workspace/model.ts"

/** Longer than the bot ever takes with the story's plans; ms. */
const PATIENCE = { timeoutMs: 30_000 }

/** The latest public message of the bot in a channel that says this. */
export function card(slack: LocalSlack, channel: string, says: RegExp): Promise<Message> {
  return slack.until(
    (one) =>
      one
        .channel(channel)
        .messages()
        .findLast((message) => message.botId !== undefined && says.test(message.text)),
    PATIENCE,
  )
}

/** The bot's reply in a thread that says this. */
export function reply(slack: LocalSlack, root: Message, says: RegExp): Promise<Message> {
  return slack.until(
    (one) =>
      one
        .thread(root.channel, root.ts)
        .findLast(
          (message) =>
            message.ts !== root.ts && message.botId !== undefined && says.test(message.text),
        ),
    PATIENCE,
  )
}

/** What only this person sees. */
export function whisper(slack: LocalSlack, user: string, says: RegExp): Promise<Message> {
  return slack.until(
    (one) => one.ephemerals(user).findLast((message) => says.test(message.text)),
    PATIENCE,
  )
}

/** A file in a channel, by the end of its name. */
export function file(slack: LocalSlack, channel: string, ending: string): Promise<Message> {
  return slack.until(
    (one) =>
      one
        .channel(channel)
        .all()
        .findLast((message) => message.files.some(({ name }) => name.endsWith(ending))),
    PATIENCE,
  )
}
