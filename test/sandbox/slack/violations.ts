import type { ChangeBus } from "./workspace/changes.ts"

/** Violations of our rules that Slack tolerates. Tests end by asserting that there are none. */
export interface Violations {
  readonly all: readonly string[]
  add(violation: string): void
}

export function createViolations(changes: ChangeBus): Violations {
  const all: string[] = []
  return {
    all,
    add(violation) {
      all.push(violation)
      changes.emit({ type: "changed" })
    },
  }
}
