import { type Notice, operatorWords } from "../../messages/admin-notices.ts"
import { message, packed } from "../../messages/blocks.ts"
import { FAULTS } from "../../messages/fault-words.ts"
import { counted, foreignLine } from "../../messages/mrkdwn.ts"
import type { Message } from "../../slack/message-types.ts"

export interface Finding {
  /** Subject of the check, such as `redis` or `slack token`. */
  check: string
  level: Level
  /** State that was found, without a period at the end; never a secret. */
  says: string
  next?: string
}

export type Level = "ok" | "warning" | "fault"

/** Makes findings about one subject. A fault breaks something: the doctor exits with 1. */
export function about(check: string) {
  const toSeeTo = (level: Level) => (says: string, next: string) => {
    return { check, level, says, next: next.replaceAll("`", "") }
  }
  return {
    ok: (says: string): Finding => ({ check, level: "ok", says }),
    warning: toSeeTo("warning"),
    fault: toSeeTo("fault"),
  }
}

/** Makes the finding about what admins and `/readyz` are told. */
export function findingOf(check: string, notice: Notice): Finding {
  const { says, next } = operatorWords(notice)
  return about(check)[FAULTS[notice.fault].isWarning ? "warning" : "fault"](says, next)
}

export function isWell(findings: readonly Finding[]): boolean {
  return findings.every(({ level }) => level !== "fault")
}

/** Writes `No problems found.`, `1 problem.` or `0 problems, 2 warnings.` */
export function headline(findings: readonly Finding[]): string {
  const count = (level: Level) => findings.filter((finding) => finding.level === level).length
  const [faults, warnings] = [count("fault"), count("warning")]
  if (faults + warnings === 0) return "No problems found."
  const more = warnings > 0 ? `, ${counted(warnings, "warning")}` : ""
  return `${counted(faults, "problem")}${more}.`
}

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
