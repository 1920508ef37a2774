import { refuseOldNode } from "../../src/lib/node-version.ts"

// Before anything else is loaded, as in the bot's own `main.ts`.
const refusal = refuseOldNode(process.versions.node)
if (refusal) {
  process.stderr.write(`${refusal}\n`)
  process.exitCode = 1
} else {
  await import("./main.ts")
}
