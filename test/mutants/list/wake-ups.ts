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
    name: "request-wakes-nobody",
    breaks: "The card of a request is posted at once, whoever sleeps.",
    file: "src/redis/queue/enqueue.lua.ts",
    search: "wakeIfFirst(outbox, id)\n",
    replace: "",
    project: "integration",
    tests: ["wakes-of-requests"],
  },
  {
    name: "every-request-wakes",
    breaks: "Workers that have something to do are not woken for each request.",
    file: "src/redis/schedules/wake-ups.lua.ts",
    search: "if redis.call('ZRANK', schedule, member) ~= 0 then return end",
    replace: "",
    project: "integration",
    tests: ["wakes-of-requests"],
    only: "already nobody",
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
