import { type Finding, headline, type Level } from "../doctor/finding.ts"
import type { Message } from "../ports/message.ts"
import { context, line, privateText, section } from "./blocks.ts"
import { foreignLine } from "./mrkdwn.ts"

const MARKS: Record<Level, string> = {
  ok: ":white_check_mark:",
  warning: ":warning:",
  fault: ":x:",
}

/** Findings beyond this many are counted: a message has 50 blocks, and nobody reads 50. */
const SHOWN = 20

/** Said at once, before the answer can be known. */
export function examiningMessage(): Message {
  return line("Checking Redis, Slack and the documentation service. Results will appear here.")
}

export function adminsOnlyMessage(): Message {
  return line(
    ":no_entry: *Only an admin can do that.* Ask the person who runs the bot to add you to `ADMIN_USERS`.",
  )
}

/** The doctor's findings, privately: what needs a person first, the rest in one line each. */
export function doctorMessage(findings: readonly Finding[]): Message {
  const wrong = findings.filter(({ level }) => level !== "ok")
  const lines = wrong.slice(0, SHOWN).map(toLine)
  const more =
    wrong.length > SHOWN
      ? [`…and ${wrong.length - SHOWN} more. See them all with \`node dist/main.js doctor\`.`]
      : []
  const well = findings.filter(({ level }) => level === "ok").map(toLine)
  const head = `*${headline(findings)}*`
  return {
    text: privateText([head, ...lines, ...more].join("\n")),
    blocks: [
      section([head, ...more].join(" ")),
      ...lines.map(section),
      ...(well.length > 0 ? [context(well.join("\n"))] : []),
    ],
  }
}

function toLine({ level, says, next }: Finding): string {
  const step = next ? `\n${foreignLine(next, 400)}` : ""
  return `${MARKS[level]} ${foreignLine(says, 400)}${step}`
}
