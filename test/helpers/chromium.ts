import { existsSync } from "node:fs"
import { delimiter, join } from "node:path"

const NAMES = ["chromium", "chromium-browser", "google-chrome"]

export const NO_CHROMIUM = `No Chromium on PATH (${NAMES.join(", ")}): install one (apt-get install chromium).`

export const CHROMIUM_FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
]

export function findChromium(): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter)
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync)
}
