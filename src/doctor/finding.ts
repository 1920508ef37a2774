/** One line of the doctor's answer. */
export interface Finding {
  check: Check
  level: Level
  /** What was found, without a full stop; never a secret. */
  says: string
  /** What to do about it; present with every warning and fault. */
  next?: string
}

export type Level = "ok" | "warning" | "fault"

type Check =
  | "node"
  | "environment"
  | "port"
  | "data folder"
  | "redis"
  | "redis data"
  | "redis clock"
  | "slack token"
  | "slack scopes"
  | "slack options"
  | "slack blocks"
  | "slack intake"
  | "slack agent"
  | "admins"
  | "people"
  | "channels"
  | "service key"
  | "service options"
  | "github"
  | "project"
  | "queue"

export function ok(check: Check, says: string): Finding {
  return { check, level: "ok", says }
}

export function warning(check: Check, says: string, next: string): Finding {
  return { check, level: "warning", says, next }
}

export function fault(check: Check, says: string, next: string): Finding {
  return { check, level: "fault", says, next }
}

/** Fit to run? Only faults count: a warning is for a person to weigh. */
export function isWell(findings: readonly Finding[]): boolean {
  return findings.every(({ level }) => level !== "fault")
}

/** Is `version` before major.minor? */
export function isOlder(version: string, [major, minor]: readonly [number, number]): boolean {
  const [ours = 0, below = 0] = version.split(".").map(Number)
  return ours < major || (ours === major && below < minor)
}

/** In place of Slack's code: names stand where ids belong, and Slack need not be asked. */
export const NO_ID = { code: "no_id" } as const
