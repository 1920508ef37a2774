import { harmless } from "../text/plain-text.ts"
import { type Finding, isWell, type Level } from "./finding.ts"

/** The findings for a terminal: a line each, the next step below, once for those that share it. Pure. */
export function toLines(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length))
  const lines = findings.flatMap(({ check, level, says, next }, i) => [
    `${level.padEnd(7)}  ${check.padEnd(width)}  ${harmless(says)}`,
    ...(next && findings[i + 1]?.next !== next
      ? [`${" ".repeat(width + 11)}→ ${harmless(next)}`]
      : []),
  ])
  return `${[...lines, "", summary(findings)].join("\n")}\n`
}

/** The same for a machine. */
export function toJson(findings: readonly Finding[]): string {
  return `${JSON.stringify({ well: isWell(findings), findings }, null, 2)}\n`
}

function summary(findings: readonly Finding[]): string {
  const count = (level: Level) => findings.filter((finding) => finding.level === level).length
  const [faults, warnings] = [count("fault"), count("warning")]
  const warned = warnings === 1 ? "one warning" : `${warnings} warnings`
  if (faults === 0) return warnings === 0 ? "Everything works." : `Working, with ${warned}.`
  const wrong = faults === 1 ? "One thing needs" : `${faults} things need`
  return `${wrong} fixing${warnings === 0 ? "" : `, and there ${warnings === 1 ? "is" : "are"} ${warned}`}.`
}
