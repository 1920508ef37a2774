import { readFileSync } from "node:fs"
import { z } from "zod"

const manifest = z.object({ version: z.string() })

/** Reads package.json, which is two folders above both `src/runtime` and `dist/bot`. */
export function readVersion(): string {
  const file = new URL("../../package.json", import.meta.url)
  return manifest.parse(JSON.parse(readFileSync(file, "utf8"))).version
}
