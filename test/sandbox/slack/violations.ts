import type { ChangeBus } from "./workspace/changes.ts"

/** What Slack lets pass and we do not. Tests end by asserting that the list is empty. */
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
      changes.emit({ type: "violated", violation })
    },
  }
}
