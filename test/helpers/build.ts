import { execFileSync } from "node:child_process"

/** The system tests start the bot as an operator does, from `dist/`. */
export function setup(): void {
  execFileSync("npm", ["run", "--silent", "build"], {
    cwd: new URL("../..", import.meta.url),
    // Standard output may be a benchmark's result.
    stdio: ["ignore", "ignore", "inherit"],
  })
}
