/** One line of the doctor's answer. */
export interface Finding {
  /** The subject, such as `redis` or `slack token`. */
  check: string
  level: Level
  /** The state, without a full stop; never a secret. */
  says: string
  /** The next step; present with every warning and fault. */
  next?: string
}

export type Level = "ok" | "warning" | "fault"

export const ok = (check: string, says: string): Finding => ({ check, level: "ok", says })

const toSeeTo =
  (level: Level) =>
  (check: string, says: string, next: string): Finding => ({ check, level, says, next })

/** Makes a warning. A person decides what to do about it; only faults stop the bot. */
export const warning = toSeeTo("warning")
export const fault = toSeeTo("fault")

/** Returns whether the bot can run. */
export function isWell(findings: readonly Finding[]): boolean {
  return findings.every(({ level }) => level !== "fault")
}

/** Writes `Everything works.` or `1 problem, 2 warnings.` */
export function headline(findings: readonly Finding[]): string {
  const count = (level: Level) => findings.filter((finding) => finding.level === level).length
  const [faults, warnings] = [count("fault"), count("warning")]
  if (faults + warnings === 0) return "Everything works."
  const problems = `${faults} ${faults === 1 ? "problem" : "problems"}`
  if (warnings === 0) return `${problems}.`
  return `${problems}, ${warnings} ${warnings === 1 ? "warning" : "warnings"}.`
}
