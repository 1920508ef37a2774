import { readFileSync } from "node:fs"
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
  plugins: [{ name: "manifests", generateBundle: writeManifests }],
  output: {
    cleanDir: true,
    // As deep as `src/runtime/version.ts`, which knows where `package.json` is.
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
