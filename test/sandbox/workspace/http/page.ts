import type { ServerResponse } from "node:http"
import { extname } from "node:path"
import { fileURLToPath } from "node:url"

/** Files of the built page by their address. */
export type Page = ReadonlyMap<string, string | Uint8Array>

const CLONE = fileURLToPath(new URL("../../../../", import.meta.url))

/**
 * Builds the page in memory, at each start: it takes a third of a second.
 * @throws Error if Vite can't read the clone's folder
 */
export async function buildPage(): Promise<Page> {
  // Vite takes it for the end of a file's name.
  if (CLONE.includes("#"))
    throw new Error(`Move the clone: Vite can't read ${CLONE}, because of its #.`)
  const { build } = await import("vite")
  const built = await build({
    root: `${CLONE}test/sandbox/page`,
    configFile: false,
    logLevel: "warn",
    build: { write: false, modulePreload: false },
  })
  const outputs = [built].flat().flatMap((one) => ("output" in one ? one.output : []))
  return new Map(
    outputs.map((file) => [`/${file.fileName}`, file.type === "chunk" ? file.code : file.source]),
  )
}

/** Policy that allows only this server's scripts, styles and fonts, and so none in a message. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Headers of every file of the page. */
const securityHeaders = {
  "content-security-policy": POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
} as const

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
}

/** Sends one file of the page; returns false if there is none with that name. */
export function sendPage(page: Page, path: string, response: ServerResponse): boolean {
  const file = path === "/" ? "/index.html" : path
  const content = page.get(file)
  if (content === undefined) return false
  response.writeHead(200, {
    ...securityHeaders,
    "content-type": TYPES[extname(file)] ?? "application/octet-stream",
    // The names of scripts and styles contain a hash.
    "cache-control": path.startsWith("/assets/") ? "max-age=31536000, immutable" : "no-store",
  })
  response.end(content)
  return true
}
