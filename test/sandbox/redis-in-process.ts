import { once } from "node:events"
import { createServer } from "node:net"
import {
  attachSession,
  createRedisCommandExecutor,
  RedisServerState,
  SocketConnectionTransport,
} from "js-redis-server/core"

/**
 * Starts the npm replacement for a missing redis-server, on a loopback port without a password. Its
 * own server puts each reply in a separate packet and leaves Nagle's algorithm on, so that the
 * second of two replies waits 40 ms for the client's delayed acknowledgement of the first.
 */
export async function startRedisInProcess() {
  // Expired keys go when they are next read: the timer of a sweep, set anew after each, would become
  // one of a test's fake timers and run through all the time that the test skips.
  const state = new RedisServerState({ activeExpiryIntervalMs: false })
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
    /** Accepts no new connections; existing ones end with their clients. */
    async close() {
      server.close()
      await once(server, "close")
      state.close()
    },
  }
}
