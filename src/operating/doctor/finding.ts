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

export function isWell(findings: readonly Finding[]): boolean {
  return findings.every(({ level }) => level !== "fault")
}

/** Writes `No problems found.`, `1 problem.` or `0 problems, 2 warnings.` */
export function headline(findings: readonly Finding[]): string {
  const count = (level: Level) => findings.filter((finding) => finding.level === level).length
  const [faults, warnings] = [count("fault"), count("warning")]
  if (faults + warnings === 0) return "No problems found."
  const problems = `${faults} ${faults === 1 ? "problem" : "problems"}`
  const more = `, ${warnings} ${warnings === 1 ? "warning" : "warnings"}`
  return `${problems}${warnings > 0 ? more : ""}.`
}
