import type { Verbs } from "../../src/listeners/verbs.ts"

/** Verbs for tests that only look at what is registered: each has every part, and does nothing. */
export const anyVerbs: Verbs = new Proxy(() => {}, { get: () => anyVerbs }) as never
