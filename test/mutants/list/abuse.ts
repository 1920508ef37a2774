import type { Mutant } from "../mutant.ts"

/** What neither one person nor an odd service may bring about. */
export const ABUSE: readonly Mutant[] = [
  {
    name: "oversized-pages-kept",
    breaks: "A service that ignores `limit` ends an export with a word to its owner.",
    file: "src/visitors/export-reading.ts",
    search: "  bounded(rows, EXPORT_LIMIT)\n",
    replace: "",
    project: "integration",
    tests: ["visitors-export"],
    only: "rows, though 250",
  },
  {
    name: "unexpected-uncounted",
    breaks: "An export that fails for a reason nobody expected is given up one day.",
    file: "src/visitors/export-pass.ts",
    search: "    await deps.exports.park(claimed, waitMs, true)\n",
    replace: "    if (expected) await deps.exports.park(claimed, waitMs, true)\n",
    project: "integration",
    tests: ["visitors-export"],
    only: "nobody expected",
  },
  {
    name: "unexpected-digest-uncounted",
    breaks: "A digest that fails for a reason nobody expected is left out one day.",
    file: "src/visitors/digest-pass.ts",
    search: "await afterUnexpected(deps, claimed)",
    replace: "await deps.subscriptions.nextDue()",
    project: "integration",
    tests: ["visitors-digest"],
    only: "nobody expected",
  },
]
