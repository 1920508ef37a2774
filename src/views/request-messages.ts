import type { Refusal } from "../access/rules.ts"
import type { Full } from "../jobs/ports.ts"
import type { Message } from "../ports/message.ts"
import { actions, button, line, plain, section } from "./blocks.ts"
import { foreignLine, link, mention } from "./mrkdwn.ts"
import { lineWithAsk } from "./near-miss-messages.ts"

export function fullMessage(full: Full): Message {
  switch (full.of) {
    case "waiting":
      return line(
        `:no_entry: *Your queue is full.* You have ${full.waiting} requests waiting, the most one person can have. Cancel one, or ask again when one has started.`,
      )
    case "too_much":
      return line(
        ":no_entry: *Your open requests add up to too much text.* Cancel one, or ask again when one has finished.",
      )
    case "no_room":
      return line(
        ":no_entry: *My storage is nearly full, so nothing was started.* Requests already in line aren't affected. Tell the person who runs the bot that Redis needs more memory.",
      )
  }
}

export function tooLongMessage(length: number, max: number): Message {
  return line(
    `:no_entry: *That's too long:* ${length.toLocaleString("en")} characters, and the limit is ${max.toLocaleString("en")}. Shorten it, or put the material in a file the agent can read.`,
  )
}

/** So many names of 40 characters fit into one text block. */
const NAMES_SHOWN = 50

export function unknownProjectMessage(name: string, projects: readonly string[]): Message {
  const known = projects.slice(0, NAMES_SHOWN).map((project) => `\`${foreignLine(project, 40)}\``)
  const left = projects.length - known.length
  const names = [...known, ...(left > 0 ? [`and ${left} more`] : [])].join(", ")
  return line(
    `:no_entry: *There's no project \`${foreignLine(name, 40)}\`.* Choose one of these: ${names}.`,
  )
}

export function blankMessage(): Message {
  return lineWithAsk("*What should change in the docs?* For example: fix the quickstart")
}

/** Asked within the last 15 minutes: nothing is spent before the person says so. */
export function duplicateMessage(card: string | undefined, draft: string): Message {
  const where = card ? ` (${link(card, "view it")})` : ""
  const text = `*You made this request a few minutes ago*${where}. Run it again?`
  return {
    text: plain(text),
    blocks: [
      section(text),
      ...actions([
        button({ action: "run_anyway", label: "Run again", value: draft, style: "primary" }),
        button({ action: "never_mind", label: "Don't run", value: draft }),
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
      : "Ask the person who runs the bot"
  return line(
    `:no_entry: *${REFUSALS[refusal]}* ${refusal === "unclear" ? "Try again in a minute. If it keeps happening, the app may lack the `users:read` permission." : `${ask} for access (your Slack ID: \`${foreignLine(user, 20)}\`).`}`,
  )
}

const REFUSALS: Record<Refusal | "unclear", string> = {
  channel: "Docs Agent isn't available in this channel.",
  user: "You don't have access to Docs Agent.",
  guest: "Guests can't use Docs Agent here.",
  stranger: "People from other workspaces can't use Docs Agent here.",
  bot: "Apps and deactivated accounts can't use Docs Agent.",
  unclear: "Slack didn't say who you are, so nothing was started.",
}

/** The card could not be posted, so a job would run unseen. */
export function tokenRefusedMessage(code: string): Message {
  return line(
    `:no_entry: *Slack rejected the bot's token* (\`${foreignLine(code, 40)}\`), so nothing was started. Tell the person who runs the bot that it needs a new SLACK_BOT_TOKEN.`,
  )
}

export function storeAwayMessage(): Message {
  return line(
    ":no_entry: *I can't reach my storage right now.* Unless a card appears, nothing was started. Try again in a minute.",
  )
}

export function slowMessage(): Message {
  return line(
    ":hourglass_flowing_sand: *This is taking longer than it should.* If a card appears, your request was accepted. If not, try again in a minute.",
  )
}

/** Slack does not say yet who asked; what they asked for is kept. */
export function slackIsSlowMessage(): Message {
  return line(":hourglass_flowing_sand: *Slack is slow right now.* I'll answer here in a moment.")
}

/** Too much of what they did is waiting already: nothing more is kept. */
export function slackIsTooSlowMessage(): Message {
  return line(
    ":no_entry: *Slack is slow right now.* Several of your requests are already waiting for it, so this one wasn't started. Try again in a few minutes.",
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
    ":no_entry: *Something went wrong.* Try again, or ask the person who runs the bot to check its log.",
  )
}
