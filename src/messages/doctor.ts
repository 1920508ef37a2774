import { type Finding, headline, type Level } from "../doctor/finding.ts"
import type { Message } from "./blocks.ts"
import { context, line, privateText, section } from "./blocks.ts"
import { anAdmin, foreignLine } from "./mrkdwn.ts"

const MARKS: Record<Level, string> = {
  ok: ":white_check_mark:",
  warning: ":warning:",
  fault: ":x:",
}

/** The message only counts further findings: Slack allows 50 blocks, and nobody reads 50. */
const SHOWN = 20
/**
 * The longest line, code points: two of them fit into one text object even if escaping makes them
 * five times as long.
 */
const LINE = 290

export function adminsOnlyMessage(admins: readonly string[], what = "do that"): Message {
  const next =
    admins.length > 0
      ? `Ask ${anAdmin(admins)}.`
      : "Ask the person who runs Docs Agent to add you to `ADMIN_USERS`."
  return line(`*Only an admin can ${what}.* ${next}`)
}

/** Shows the doctor's findings privately: first those that need a person, the others in small print. */
export function doctorMessage(findings: readonly Finding[]): Message {
  const wrong = findings.filter(({ level }) => level !== "ok")
  const fine = findings.filter(({ level }) => level === "ok")
  const head = `*${headline(findings)}*`
  const lines = wrong.slice(0, SHOWN).map(toLine)
  const left = wrong.length - lines.length
  const more =
    left > 0 ? [`…and ${left} more. See them all with \`node dist/main.js doctor\`.`] : []
  const well = fine.map(toLine).join("\n")
  return {
    text: privateText([head, ...lines, ...more].join("\n")),
    blocks: [
      section([head, ...more].join(" ")),
      ...lines.map((one) => section(one)),
      ...(well ? [context(well)] : []),
    ],
  }
}

function toLine({ level, says, next }: Finding): string {
  const step = next ? `\n${foreignLine(next, LINE)}` : ""
  return `${MARKS[level]} ${foreignLine(says, LINE)}${step}`
}
