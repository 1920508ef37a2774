import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { parse } from "yaml"

/**
 * The bot and all that it stands on in a few files: to find, read and link a thousand modules took more
 * than half of a start. What one process type alone needs, or the doctor, stays a file of its own.
 */
export default {
  input: "src/main.ts",
  platform: "node",
  // The oldest Node that runs the bot does not know `using`.
  transform: { target: "node20.19" },
  // Bottleneck's own way to Redis, which is not taken.
  checks: { eval: false },
  plugins: [
    { name: "manifests", generateBundle: writeManifests },
    { name: "licenses", generateBundle: writeLicenses },
  ],
  output: {
    cleanDir: true,
    // As deep as `src/config/installation.ts`, which knows where `package.json` is.
    chunkFileNames: "bot/[name]-[hash].js",
    // Some errors are known by their class' name.
    keepNames: true,
    sourcemap: true,
  },
}

/** What `main.js manifest` prints: the bot itself reads no YAML. */
function writeManifests() {
  const files = {
    "manifest.json": "manifest.yml",
    "manifest.agent.json": ".github/manifest.agent.yml",
  }
  for (const [fileName, from] of Object.entries(files)) {
    const source = JSON.stringify(parse(readFileSync(from, "utf8")))
    this.emitFile({ type: "asset", fileName, source })
  }
}

/** Writes the licenses of what the bundle contains into it, because most ask to travel along. */
function writeLicenses(_options, bundle) {
  const modules = Object.values(bundle).flatMap(({ modules = {} }) => Object.keys(modules))
  const folders = modules.flatMap(
    (id) => id.match(/[^\0].*\/node_modules\/(?:@[^/]+\/)?[^/]+/) ?? [],
  )
  const texts = [...new Set(folders)].map(licenseOf).sort()
  const source = `Docs Agent for Slack contains these packages:\n\n${texts.join("\n")}`
  this.emitFile({ type: "asset", fileName: "licenses.txt", source })
}

/** @throws Error if the package says nothing of its license */
function licenseOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
  if (!license && files.length === 0) throw new Error(`Find out the license of ${name} ${version}.`)
  const texts = files.map((file) => readFileSync(join(folder, file), "utf8").trim())
  return [`--- ${name} ${version}: ${license}`, ...texts, ""].join("\n\n")
}
