import { readFileSync } from "node:fs"

/** Reads package.json, which is two folders above both `src/lib` and `dist/bot`. */
export function readVersion(): string {
  const file = new URL("../../package.json", import.meta.url)
  const { version }: { version: string } = JSON.parse(readFileSync(file, "utf8"))
  return version
}
