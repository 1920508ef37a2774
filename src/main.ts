import { refuseOldNode } from "./runtime/node-version.ts"

// Before anything else is loaded: on an older Node the first library fails in words of its own.
const refusal = refuseOldNode(process.versions.node)
if (refusal) {
  process.stderr.write(`${refusal}\n`)
  process.exitCode = 1
} else {
  const { runCommandLine } = await import("./command-line.ts")
  await runCommandLine(process.argv.slice(2))
}
