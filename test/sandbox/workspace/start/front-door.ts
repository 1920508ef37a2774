import type { RequestListener } from "node:http"
import { type HttpServer, listen } from "../../kit/http-server.ts"

/** Address of the page, opened before the rest because the store's folder is named after it. */
export interface FrontDoor extends HttpServer {
  /** Sets the listener; until then, visitors are told to retry. */
  answerWith(listener: RequestListener): void
}

const FIRST = 4000
const TRIES = 50

/**
 * Opens the given port (0 is any free one), else the first free one from 4000 on.
 * @throws Error if the port is in use.
 */
export async function openFrontDoor(wanted: number | undefined): Promise<FrontDoor> {
  if (wanted !== undefined) {
    const door = await tryPort(wanted)
    if (door !== undefined) return door
    throw new Error(`Port ${wanted} is already in use. Choose another one with --port.`)
  }
  for (let port = FIRST; port < FIRST + TRIES; port += 1) {
    const door = await tryPort(port)
    if (door !== undefined) return door
  }
  throw new Error(
    `Ports ${FIRST} to ${FIRST + TRIES - 1} are all in use. Choose another one with --port.`,
  )
}

/** Returns undefined if the port is in use. */
async function tryPort(port: number): Promise<FrontDoor | undefined> {
  let answer: RequestListener = (_, response) => {
    response.writeHead(503, { "retry-after": "1" }).end("The sandbox is starting.\n")
  }
  try {
    const server = await listen(port, (request, response) => answer(request, response))
    return {
      ...server,
      answerWith(listener) {
        answer = listener
      },
    }
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") return undefined
    throw error
  }
}
