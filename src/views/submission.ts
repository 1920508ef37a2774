import type { Refusal } from "../access/rules.ts"
import type { Message } from "../ports/message.ts"
import { actions, button, line, plain, section } from "./blocks.ts"
import { foreignLine, link, mention } from "./mrkdwn.ts"

export function acceptedMessage(): Message {
  return line("Accepted. The card in this channel shows how it goes.")
}

export function fullMessage(waiting: number): Message {
  return line(
    `:no_entry: You already have ${waiting} requests waiting, which is the most one person may have. Cancel one, or ask again when one has started.`,
  )
}

export function tooLongMessage(length: number, max: number): Message {
  return line(
    `:no_entry: That is ${length.toLocaleString("en")} characters; at most ${max.toLocaleString("en")} fit. Shorten it, or put the material in a file that the docs agent can read.`,
  )
}

/** So many names of 40 characters fit into one text block. */
const NAMES_SHOWN = 50

export function unknownProjectMessage(name: string, projects: readonly string[]): Message {
  const known = projects.slice(0, NAMES_SHOWN).map((project) => `\`${foreignLine(project, 40)}\``)
  const left = projects.length - known.length
  const names = [...known, ...(left > 0 ? [`and ${left} more`] : [])].join(", ")
  return line(`:no_entry: There is no project \`${foreignLine(name, 40)}\`. There are: ${names}.`)
}

export function blankMessage(): Message {
  return line("Say what should change in the docs, for example: fix the quickstart.")
}

/** Asked within the last 15 minutes: nothing is spent before the person says so. */
export function duplicateMessage(card: string | undefined, draft: string): Message {
  const where = card ? ` It is here: ${link(card, "its card")}.` : ""
  const text = `You asked the very same a few minutes ago.${where} Run it anyway?`
  return {
    text: plain(text),
    blocks: [
      section(text),
      ...actions([
        button({ action: "run_anyway", label: "Run anyway", value: draft, style: "primary" }),
        button({ action: "never_mind", label: "Leave it", value: draft }),
      ]),
    ],
  }
}

/** Private, with the person's own id and whom to ask: that is what an admin needs to let them in. */
export function refusedMessage(
  refusal: Refusal | "unclear",
  user: string,
  admins: readonly string[],
): Message {
  const ask =
    admins.length > 0
      ? `Ask ${admins.slice(0, 3).map(mention).join(" or ")}`
      : "Ask whoever runs the bot"
  return line(
    `:no_entry: ${REFUSALS[refusal]} ${ask}; your Slack id is \`${foreignLine(user, 20)}\`.`,
  )
}

const REFUSALS: Record<Refusal | "unclear", string> = {
  channel: "The docs agent is not for use in this channel.",
  user: "You are not among the people who may use the docs agent.",
  guest: "Guests may not use the docs agent here.",
  stranger: "People of other workspaces may not use the docs agent here.",
  bot: "Apps and deactivated accounts may not use the docs agent.",
  unclear:
    "Slack did not say who you are just now, so nothing was started. Try again in a minute; if it goes on, the app may lack the `users:read` permission.",
}

/** The card could not be posted, so a job would run unseen. */
export function tokenRefusedMessage(code: string): Message {
  return line(
    `:no_entry: Slack refuses the bot's token (\`${foreignLine(code, 40)}\`), so nothing was started. Tell whoever runs the bot: it needs a new SLACK_BOT_TOKEN.`,
  )
}

export function storeAwayMessage(): Message {
  return line(
    ":no_entry: The bot's memory cannot be reached right now. Unless a card appears, nothing was started: try again in a minute.",
  )
}

export function slowMessage(): Message {
  return line(
    ":hourglass_flowing_sand: This takes longer than it should. If a card appears, it was accepted; else try again in a minute.",
  )
}

/** After the acknowledgement: the answer is still to come, or never will. */
export function slowWorkMessage(): Message {
  return line(
    ":hourglass_flowing_sand: *This is taking longer than it should.* I'll answer here as soon as I can. If nothing comes within a few minutes, try again.",
  )
}

export function brokenMessage(): Message {
  return line(
    ":no_entry: Something went wrong in the bot, and its log says what. Try again, or tell whoever runs it.",
  )
}
