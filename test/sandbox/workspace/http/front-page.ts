import { readFile } from "node:fs/promises"
import type { ServerResponse } from "node:http"
import { join } from "node:path"
import type { Theme } from "../theme.ts"
import type { FirstState } from "../wire.ts"
import { securityHeaders } from "./security-headers.ts"

/** Where the state goes in the built document. */
const PLACE = '<script type="application/json" id="first-state">'

/**
 * Sends the document with the state of this moment in it, and with the colours that its reader
 * chose: the page need not ask before it draws.
 */
export async function sendFrontPage(
  folder: string,
  theme: Theme,
  state: () => FirstState,
  response: ServerResponse,
): Promise<void> {
  const document = await readFile(join(folder, "index.html"), "utf8")
  const body = Buffer.from(withState(withTheme(document, theme), state()))
  response.writeHead(200, {
    ...securityHeaders,
    "content-type": "text/html; charset=utf-8",
    "content-length": body.length,
    "cache-control": "no-store",
  })
  response.end(body)
}

function withTheme(document: string, theme: Theme): string {
  return document.replace("<html ", `<html data-theme="${theme}" `)
}

/**
 * The document with the state as JSON in its element. A script element ends at `</script` and reads
 * `<!--` in its own way whatever it holds, so no `<` is left; in JSON it can only stand in a string.
 * @throws Error where the document has no such element.
 */
export function withState(document: string, state: object): string {
  const [before, after, ...more] = document.split(PLACE)
  if (before === undefined || after === undefined || more.length > 0) {
    throw new Error(
      "The built page has no place for the state. Delete node_modules/.cache/docs-agent-sandbox, and start the sandbox again.",
    )
  }
  return [before, PLACE, JSON.stringify(state).replaceAll("<", "\\u003c"), after].join("")
}
