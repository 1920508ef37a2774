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

export const ok = (check: Check, says: string): Finding => ({ check, level: "ok", says })

/** For a person to weigh: only faults count. */
export const warning = (check: Check, says: string, next: string): Finding => ({
  check,
  level: "warning",
  says,
  next,
})

export const fault = (check: Check, says: string, next: string): Finding => ({
  check,
  level: "fault",
  says,
  next,
})

/** Tells whether the bot can run. */
export function isWell(findings: readonly Finding[]): boolean {
  return findings.every(({ level }) => level !== "fault")
}

/** `Everything works.`, `1 problem, 2 warnings.` */
export function headline(findings: readonly Finding[]): string {
  const count = (level: Level) => findings.filter((finding) => finding.level === level).length
  const [faults, warnings] = [count("fault"), count("warning")]
  if (faults + warnings === 0) return "Everything works."
  const problems = `${faults} ${faults === 1 ? "problem" : "problems"}`
  if (warnings === 0) return `${problems}.`
  return `${problems}, ${warnings} ${warnings === 1 ? "warning" : "warnings"}.`
}
