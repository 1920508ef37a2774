import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import type { ServerResponse } from "node:http"
import { extname, join, normalize, sep } from "node:path"
import { pipeline } from "node:stream/promises"

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

/** Sends one file of the built page; returns false if there is none with that name. */
export async function sendFile(
  folder: string,
  path: string,
  response: ServerResponse,
): Promise<boolean> {
  const file = normalize(join(folder, path))
  if (!file.startsWith(folder + sep)) return false
  const facts = await stat(file).catch(() => undefined)
  if (!facts?.isFile()) return false
  response.writeHead(200, {
    ...securityHeaders,
    "content-type": TYPES[extname(file)] ?? "application/octet-stream",
    "content-length": facts.size,
    // The names of scripts and styles contain a hash.
    "cache-control": path.startsWith("/assets/") ? "max-age=31536000, immutable" : "no-store",
  })
  await pipeline(createReadStream(file), response)
  return true
}
