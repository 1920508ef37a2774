import { existsSync } from "node:fs"

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]

export const NO_CHROMIUM = `No Chromium at ${PLACES.join(", ")}: install one (apt-get install chromium).`

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
  return PLACES.find((path) => existsSync(path))
}
