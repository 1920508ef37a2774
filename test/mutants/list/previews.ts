import type { Mutant } from "../mutant.ts"

/** Previews of a job's branch. */
export const PREVIEWS: readonly Mutant[] = [
  {
    name: "preview-sent-again",
    breaks: "A preview whose answer never came is not asked for again by itself.",
    file: "src/previews/step.ts",
    search: 'return isLater ? ended("failed", SILENT) : ended("unknown")',
    replace: "return { preview, after: { waitMs: 10, isNews: false } }",
    project: "integration",
    tests: ["preview"],
    only: "whose answer never came",
  },
  {
    name: "preview-built-by-an-old-button",
    breaks: "A press of what a reply showed before a build does not build again.",
    file: "src/redis/previews/store.lua.ts",
    search: "if isRead and (tonumber(last.at) or 0) ~= tonumber(after) then return 0 end",
    replace: "",
    project: "integration",
    tests: ["preview"],
    only: "does not build again",
  },
  {
    name: "preview-minute-unbounded",
    breaks: "At most five previews a minute are asked for with one key.",
    file: "src/redis/window.lua.ts",
    search: "if over > 0 then",
    replace: "if false then",
    project: "integration",
    tests: ["preview"],
    only: "five a minute",
  },
]
