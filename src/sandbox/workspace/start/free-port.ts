import { once } from "node:events"
import { createServer } from "node:net"

const FIRST = 4000
const TRIES = 50

/**
 * The port asked for, or the first free one from 4000 on.
 * @throws Error when the port asked for is taken.
 */
export async function choosePort(wanted: number | undefined): Promise<number> {
  if (wanted !== undefined) {
    const port = await tryPort(wanted)
    if (port !== undefined) return port
    throw new Error(`Port ${wanted} is taken by another program: choose another with --port.`)
  }
  for (let port = FIRST; port < FIRST + TRIES; port += 1) {
    if ((await tryPort(port)) !== undefined) return port
  }
  throw new Error(`Ports ${FIRST} to ${FIRST + TRIES - 1} are all taken: choose one with --port.`)
}

/** The port, a free one for 0, or undefined when it is taken. */
async function tryPort(port: number): Promise<number | undefined> {
  const probe = createServer()
  try {
    probe.listen(port, "127.0.0.1")
    await once(probe, "listening")
    const address = probe.address()
    return typeof address === "object" ? address?.port : undefined
  } catch {
    return undefined
  } finally {
    probe.close()
  }
}
