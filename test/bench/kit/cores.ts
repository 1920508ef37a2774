import { execFileSync, spawnSync } from "node:child_process"
import { availableParallelism } from "node:os"

/** Why processes cannot be kept apart here; undefined when they can. */
export function cannotPin(): string | undefined {
  if (availableParallelism() < 2) return "this machine has one core"
  return spawnSync("taskset", ["--version"]).error ? "there is no taskset here" : undefined
}

/** From now on processes run on one core alone, with all their threads. Needs Linux' taskset. */
export function pin(core: number, pids: readonly number[]): void {
  for (const pid of pids) {
    execFileSync("taskset", ["--all-tasks", "--cpu-list", "--pid", String(core), String(pid)], {
      stdio: "ignore",
    })
  }
}
