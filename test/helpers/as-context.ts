import type { Context } from "../../src/jobs/context.ts"

/** Passes the parts of a context that a pass under test needs as if they were all. */
export function asContext(parts: object): Context {
  return parts as Context
}
