import { type Finding, headline, type Level } from "../doctor/finding.ts"
import type { Message } from "./blocks.ts"
import { line, message } from "./blocks.ts"
import { anAdmin, foreignLine } from "./mrkdwn.ts"

const MARKS: Record<Level, string> = {
  ok: ":white_check_mark:",
  warning: ":warning:",
  fault: ":x:",
}

/** The message only counts further findings: Slack allows 50 blocks. */
const SHOWN = 20
/** The longest line, in code points: escaping may make it five times as long, and two must fit into a section. */
const LINE = 290

export function adminsOnlyMessage(admins: readonly string[], what = "do that"): Message {
  const next =
    admins.length > 0
      ? `Ask ${anAdmin(admins)}.`
      : "Ask the person who runs Docs Agent to add you to `ADMIN_USERS`."
  return line(`*Only an admin can ${what}.* ${next}`)
}

/** Shows first the findings that need a person, then the others in small print. */
export function doctorMessage(findings: readonly Finding[]): Message {
  const wrong = findings.filter(({ level }) => level !== "ok")
  const fine = findings.filter(({ level }) => level === "ok")
  const left = wrong.length - SHOWN
  const more = left > 0 ? ` …and ${left} more. See them all with \`node dist/main.js doctor\`.` : ""
  return message({
    lines: [`*${headline(findings)}*${more}`, ...wrong.slice(0, SHOWN).map(toLine)],
    small: fine.map(toLine).join("\n"),
  })
}

function toLine({ level, says, next }: Finding): string {
  const step = next ? `\n${foreignLine(next, LINE)}` : ""
  return `${MARKS[level]} ${foreignLine(says, LINE)}${step}`
}
