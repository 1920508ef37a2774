import type { Mutant } from "../mutant.ts"

/** A Redis Cluster whose keys change hands. */
export const CLUSTER: readonly Mutant[] = [
  {
    name: "half-moved-taken-for-gone",
    breaks: "A running job is not lost while the bot's keys move from one node to another.",
    file: "src/redis/script.ts",
    search: "keys.push(NEVER_WRITTEN)",
    replace: 'keys.push(keys[0] ?? "")',
    project: "system",
    tests: ["cluster"],
    only: "keys move to another node",
  },
  {
    name: "new-primary-not-told",
    breaks: "A replica that takes over hears what the hour has spent already.",
    file: "src/redis/connection/connect.ts",
    search: 'redis instanceof BotCluster ? "refresh" : "ready"',
    replace: '"ready"',
    project: "system",
    tests: ["cluster"],
    only: "missed a creation hears of it",
  },
]
