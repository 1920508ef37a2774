import type { Mutant } from "../mutant.ts"

/** Loops that sleep until they are woken. */
export const WAKE_UPS: readonly Mutant[] = [
  {
    name: "look-never",
    breaks: "What a lost message was about is found by a look.",
    file: "src/redis/schedules/wake-ups.ts",
    search: "if (found[loop] >= 0) ring(loop, found[loop])",
    replace: "void loop",
    project: "system",
    tests: ["wake-ups"],
    only: "may not use channels",
  },
  {
    name: "ring-while-awake",
    breaks: "What rings during a pass is heard after it.",
    file: "src/runtime/alarm.ts",
    search: "    this.ring(restMs)\n    while",
    replace: "    this.silence()\n    this.ring(restMs)\n    while",
    project: "unit",
    tests: ["alarm"],
    only: "while nobody sleeps",
  },
]
