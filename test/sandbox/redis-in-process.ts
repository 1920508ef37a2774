import { once } from "node:events"
import { createServer } from "node:net"
import {
  attachSession,
  createRedisCommandExecutor,
  RedisServerState,
  SocketConnectionTransport,
} from "js-redis-server/core"

export interface InProcessRedis {
  url: string
  /** Takes no new connections; those that there are end with their clients. */
  close: () => Promise<void>
}

/**
 * The stand-in from npm where there is no redis-server, on a port that only this machine reaches: it
 * asks nobody for a password. Its own server puts each reply into a packet of its own and leaves
 * Nagle's algorithm on, so that of two replies the second waits 40 ms for the client's delayed
 * acknowledgement of the first.
 */
export async function startRedisInProcess(): Promise<InProcessRedis> {
  const state = new RedisServerState()
  const executor = createRedisCommandExecutor()
  const server = createServer({ noDelay: true }, (socket) => {
    attachSession(new SocketConnectionTransport(socket), { state, executor })
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const port = typeof address === "object" ? address?.port : undefined
  return {
    url: `redis://127.0.0.1:${port}`,
    async close() {
      server.close()
      await once(server, "close")
      state.close()
    },
  }
}
