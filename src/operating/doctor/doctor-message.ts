import { message, packed } from "../../messages/blocks.ts"
import { foreignLine } from "../../messages/mrkdwn.ts"
import type { Message } from "../../slack/message.ts"
import { type Finding, headline, type Level } from "./finding.ts"

const HEADINGS: Record<Level, string> = { fault: "Problems", warning: "Warnings", ok: "OK" }

/** Maximum number of findings to show, because Slack allows 50 blocks. */
const SHOWN = 20
/** Maximum length of a line in code points: two fit in a section, even escaped fivefold. */
const LINE = 290

export function doctorMessage(findings: readonly Finding[]): Message {
  const listed = (level: Level) =>
    findings
      .filter((one) => one.level === level)
      .map((one, n) => (n === 0 ? `*${HEADINGS[level]}*\n${toLine(one)}` : toLine(one)))
  const wrong = [...listed("fault"), ...listed("warning")]
  const left = wrong.length - SHOWN
  const more = left > 0 ? ` …and ${left} more. See them all with \`node dist/main.js doctor\`.` : ""
  return message({
    lines: [`*${headline(findings)}*${more}`, ...wrong.slice(0, SHOWN)],
    small: packed(listed("ok"))[0],
  })
}

function toLine({ says, next }: Finding): string {
  return [says, next].flatMap((text) => (text ? foreignLine(text, LINE) : [])).join("\n")
}
