/** One line of the doctor's answer. */
export interface Finding {
  check: Check
  level: Level
  /** The state, without a full stop; never a secret. */
  says: string
  /** What to do about it; present with every warning and fault. */
  next?: string
}

export type Level = "ok" | "warning" | "fault"

type Check =
  | "settings"
  | "redis"
  | "redis data"
  | "clock"
  | "worker"
  | "slack token"
  | "slack permissions"
  | "slack intake"
  | "service"
  | "job path"
  | "github"

export function ok(check: Check, says: string): Finding {
  return { check, level: "ok", says }
}

export function warning(check: Check, says: string, next: string): Finding {
  return { check, level: "warning", says, next }
}

export function fault(check: Check, says: string, next: string): Finding {
  return { check, level: "fault", says, next }
}

/** Can the bot run? A warning is for a person to weigh; only faults count. */
export function isWell(findings: readonly Finding[]): boolean {
  return findings.every(({ level }) => level !== "fault")
}

export function headline(findings: readonly Finding[]): string {
  const count = (level: Level) => findings.filter((finding) => finding.level === level).length
  const [faults, warnings] = [count("fault"), count("warning")]
  if (faults + warnings === 0) return "Everything works."
  const problems = faults === 1 ? "1 problem" : `${faults} problems`
  const warned = warnings === 0 ? "" : `, ${warnings === 1 ? "1 warning" : `${warnings} warnings`}`
  return `${problems}${warned}.`
}
