import { once } from "node:events"
import { connect, createServer, type Server, type Socket } from "node:net"

export type TcpProxy = Awaited<ReturnType<typeof startTcpProxy>>

/** @param swallowed nothing more is forwarded on a connection that sends this */
export async function startTcpProxy(target: number, swallowed?: RegExp) {
  const sockets = new Set<Socket>()
  let silent = false
  let losing: { port: number; left: number } | undefined
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on("error", () => {})
    socket.on("close", () => sockets.delete(socket))
  }
  const join = (near: Socket) => {
    keep(near)
    if (silent) return near.resume()
    const far = connect(target, "127.0.0.1")
    keep(far)
    let isDead = false
    let isLost = false
    near.on("data", (data) => {
      isDead ||= silent || swallowed?.test(String(data)) === true
      if (losing && near.remotePort === losing.port) losing.left -= commandsIn(data)
      isLost ||= losing !== undefined && near.remotePort === losing.port && losing.left <= 0
      if (!isDead) far.write(data)
    })
    far.on("data", (data) => {
      isDead ||= silent
      if (isLost) near.resetAndDestroy()
      else if (!isDead) near.write(data)
    })
    near.on("close", () => far.destroy())
    far.on("close", () => near.destroy())
  }
  let server: Server | undefined
  const listen = async (at: number) => {
    server = createServer(join).listen(at, "127.0.0.1")
    await once(server, "listening")
    const address = server.address()
    if (address === null || typeof address === "string") throw new Error("no port")
    return address.port
  }
  /** Resets connections and refuses new ones. */
  const cut = async () => {
    const closing = server
    server = undefined
    for (const socket of sockets) socket.resetAndDestroy()
    await new Promise<void>((resolve) => (closing ? closing.close(() => resolve()) : resolve()))
  }
  const port = await listen(0)
  return {
    port,
    cut,
    /**
     * Keeps connections open and accepts new ones, but forwards nothing. One that was used meanwhile
     * stays dead, like behind a firewall that has forgotten it.
     */
    silence() {
      silent = true
    },
    /** Forwards new connections again. */
    async mend() {
      silent = false
      if (!server) await listen(port)
    },
    /**
     * Forwards the n-th command from now on of the connection from this port, and resets it instead
     * of forwarding the reply. @returns a function that tells whether it came to that, and ends it
     */
    loseReply(port: number, n: number) {
      const wanted = { port, left: n }
      losing = wanted
      return () => {
        losing = undefined
        return wanted.left <= 0
      }
    },
    [Symbol.asyncDispose]: cut,
  }
}

/** Counts the commands that begin in a chunk: "*2\r\n$6\r\nEXISTS\r\n…". */
function commandsIn(data: Buffer): number {
  return [...String(data).matchAll(/(?:^|\r\n)\*\d+\r\n\$\d+\r\n/g)].length
}
