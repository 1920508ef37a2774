/**
 * Makes `npm pack` leave the dependencies out of the package's own package.json: `dist` holds all that
 * the bot needs, so nothing is to be installed with it. Here they stay listed, for scanners and npm ci.
 */
import { copyFileSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs"

const FILE = "package.json"
const KEPT = ".package.json.kept"

// A pack that was interrupted has left its shortened one.
if (existsSync(KEPT)) renameSync(KEPT, FILE)
if (process.argv[2] === "before") {
  const { dependencies, devDependencies, overrides, allowScripts, ...rest } = JSON.parse(
    readFileSync(FILE, "utf8"),
  )
  copyFileSync(FILE, KEPT)
  writeFileSync(FILE, `${JSON.stringify(rest, null, 2)}\n`)
}
