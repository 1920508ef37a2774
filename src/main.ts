import { refuseOldNode } from "./runtime/node-version.ts"

// Checks before it loads anything else: on an older Node the first library fails with a message of
// its own.
const refusal = refuseOldNode(process.versions.node)
if (refusal) {
  process.stderr.write(`${refusal}\n`)
  process.exitCode = 1
} else {
  const { runCommandLine } = await import("./command-line.ts")
  await runCommandLine(process.argv.slice(2))
}
