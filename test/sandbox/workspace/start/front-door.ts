import type { RequestListener } from "node:http"
import { listen } from "../../kit/http-server.ts"

const FIRST = 4000
const TRIES = 50

/**
 * Opens the page's address, before the rest because the store's folder is named after it: the given
 * port (0 is any free one), else the first free one from 4000 on.
 * @throws Error if the port is in use.
 */
export async function openFrontDoor(wanted: number | undefined) {
  let answer: RequestListener = (_, response) => {
    // Browsers ask again by themselves, an open page of an earlier sandbox too.
    const soon = { "retry-after": "1", refresh: "1" }
    response.writeHead(503, soon).end("The sandbox is starting.\n")
  }
  /** Sets the listener; until then, visitors are told to retry. */
  const answerWith = (listener: RequestListener) => {
    answer = listener
  }
  const ports = wanted === undefined ? Array.from({ length: TRIES }, (_, n) => FIRST + n) : [wanted]
  for (const port of ports) {
    try {
      const server = await listen(port, (request, response) => answer(request, response))
      return { ...server, answerWith }
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EADDRINUSE")) throw error
    }
  }
  const taken =
    wanted === undefined
      ? `Ports ${FIRST} to ${FIRST + TRIES - 1} are all in use`
      : `Port ${wanted} is already in use`
  throw new Error(`${taken}. Choose another one with --port.`)
}
