import { execFileSync } from "node:child_process"

/** The system tests start the bot as an operator does, from `dist/`. */
export function setup(): void {
  execFileSync("npx", ["tsc"], { cwd: new URL("../..", import.meta.url), stdio: "inherit" })
}
