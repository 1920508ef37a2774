import { once } from "node:events"
import { createServer } from "node:net"
import { type RedisServer, startRedisServer } from "./redis-server.ts"

export interface ClusterNode {
  readonly id: string
  readonly server: RedisServer
}

/** Password of every node, including those that `REDIS_URL` does not name. */
export const CLUSTER_PASSWORD = "of-the-cluster"
/** Silence in ms after which a node counts as failed; a busy machine must not reach it. */
const NODE_TIMEOUT_MS = 3000
/** Offset of the port on which a node talks to the other nodes. */
const BUS_OFFSET = 10_000
export async function startNode(): Promise<ClusterNode> {
  const timeout = String(NODE_TIMEOUT_MS)
  const args = ["--cluster-enabled", "yes", "--cluster-node-timeout", timeout]
  const quick = ["--repl-diskless-sync-delay", "0", "--cluster-replica-validity-factor", "0"]
  const more = { port: await freeClusterPort(), password: CLUSTER_PASSWORD }
  const server = await startRedisServer([...args, ...quick], more)
  return { id: String(await server.client.cluster("MYID")), server }
}

/** Returns a port below the system's own range, with the node's second port free, too. */
async function freeClusterPort(): Promise<number> {
  for (;;) {
    const port = 12_000 + Math.floor(Math.random() * 10_000)
    if ((await isFree(port)) && (await isFree(port + BUS_OFFSET))) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, "127.0.0.1")
  const free = await once(server, "listening").then(
    () => true,
    () => false,
  )
  server.close()
  return free
}
