#!/usr/bin/env node
import { refuseOldNode } from "./lib/node-version.ts"

// Comes before every other import: on an older Node, a library would fail without saying why.
const refusal = refuseOldNode(process.versions.node)
if (refusal) {
  process.stderr.write(`${refusal}\n`)
  process.exitCode = 1
} else {
  const { runCommandLine } = await import("./command-line.ts")
  await runCommandLine(process.argv.slice(2))
}
