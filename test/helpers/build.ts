import { execFileSync } from "node:child_process"

/** Builds `dist/`: the system tests start the bot from there, as an operator does. */
export function setup(): void {
  execFileSync("npm", ["run", "--silent", "build"], {
    cwd: new URL("../..", import.meta.url),
    // Standard output may be a benchmark's result.
    stdio: ["ignore", "ignore", "inherit"],
  })
}
