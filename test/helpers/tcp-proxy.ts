import { once } from "node:events"
import { connect, createServer, type Server, type Socket } from "node:net"

export interface TcpProxy extends AsyncDisposable {
  readonly port: number
  /** Resets connections and refuses new ones. */
  cut(): Promise<void>
  /** Keeps connections open and accepts new ones, but forwards nothing. */
  silence(): void
  mend(): Promise<void>
}

/** @param swallowed nothing more is forwarded on a connection that sends this */
export async function startTcpProxy(target: number, swallowed?: RegExp): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  let silent = false
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
    let deaf = false
    near.on("data", (data) => {
      deaf ||= swallowed?.test(String(data)) ?? false
      if (!silent && !deaf) far.write(data)
    })
    far.on("data", (data) => silent || near.write(data))
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
  const drop = () => {
    for (const socket of sockets) socket.resetAndDestroy()
  }
  const cut = async () => {
    const closing = server
    server = undefined
    drop()
    await new Promise<void>((resolve) => (closing ? closing.close(() => resolve()) : resolve()))
  }
  const port = await listen(0)
  return {
    port,
    cut,
    silence() {
      silent = true
    },
    async mend() {
      silent = false
      drop()
      if (!server) await listen(port)
    },
    [Symbol.asyncDispose]: cut,
  }
}
