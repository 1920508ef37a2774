import type { Message } from "../ports/message.ts"
import { line } from "./blocks.ts"
import { anAdmin, foreignLine } from "./mrkdwn.ts"

/** Troubles of the bot's own. */
export type Trouble =
  /** The token no longer works: no answer could be posted. `code`: Slack's error. */
  | { is: "disconnected"; code: string }
  /** Redis cannot be reached. */
  | { is: "store_away" }
  /** The request may or may not be accepted. */
  | { is: "slow" }
  /** The answer is still to come. */
  | { is: "slow_answer" }
  | { is: "slack_slow" }
  /** Slack does not take the answer. */
  | { is: "unanswerable"; code: string }
  | { is: "broken" }

/** Says that something is wrong on the bot's side, what it means, and who can help. */
export function troubleMessage(trouble: Trouble, admins: readonly string[]): Message {
  const who = anAdmin(admins)
  switch (trouble.is) {
    case "disconnected":
      return line(
        `*I'm disconnected from Slack, so nothing was started.* To fix this, ${who} can set a new \`SLACK_BOT_TOKEN\` (\`${foreignLine(trouble.code, 40)}\`).`,
      )
    case "store_away":
      return line("*Something's down on my side.* If I post nothing in the next minute, try again.")
    case "slow":
      return line(
        "*This is taking longer than usual.* If I haven't posted anything in a minute, try again.",
      )
    case "slow_answer":
      return line(
        "*This is taking longer than usual.* I'll answer here. If I haven't in a few minutes, try again.",
      )
    case "slack_slow":
      return line(
        "*Slack is slow right now*, and several of your requests are already waiting. I didn't start this one. Try again in a few minutes.",
      )
    case "unanswerable":
      return line(
        `*I couldn't answer here.* Try again in a minute. (Slack: \`${foreignLine(trouble.code, 60)}\`)`,
      )
    case "broken":
      return line(`*Something went wrong.* Try again. If it keeps happening, tell ${who}.`)
  }
}
