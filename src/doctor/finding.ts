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

/** Makes findings about one subject. A person decides what to do about a warning; only faults stop the bot. */
export function about(check: string) {
  const toSeeTo = (level: Level) => (says: string, next: string) => ({ check, level, says, next })
  return {
    ok: (says: string): Finding => ({ check, level: "ok", says }),
    warning: toSeeTo("warning"),
    fault: toSeeTo("fault"),
  }
}

/** Returns whether the bot can run. */
export function isWell(findings: readonly Finding[]): boolean {
  return findings.every(({ level }) => level !== "fault")
}

/** Writes `Everything works.` or `1 problem, 2 warnings.` */
export function headline(findings: readonly Finding[]): string {
  const counted = (level: Level, word: string) => {
    const { length } = findings.filter((finding) => finding.level === level)
    return { length, words: `${length} ${word}${length === 1 ? "" : "s"}` }
  }
  const [faults, warnings] = [counted("fault", "problem"), counted("warning", "warning")]
  if (warnings.length > 0) return `${faults.words}, ${warnings.words}.`
  return faults.length > 0 ? `${faults.words}.` : "Everything works."
}
