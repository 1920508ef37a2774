import { once } from "node:events"
import { createServer } from "node:net"
import { type RedisServer, startRedisServer } from "./redis-server.ts"

export interface ClusterNode {
  readonly id: string
  readonly server: RedisServer
}

/** Every node wants it, also those that `REDIS_URL` does not name. */
export const CLUSTER_PASSWORD = "of-the-cluster"
/** After this a silent node counts as failed, ms; a machine that runs other tests must not reach it. */
const NODE_TIMEOUT_MS = 3000
/** The nodes talk to each other on a second port. */
const BUS_OFFSET = 10_000
export async function startNode(): Promise<ClusterNode> {
  const timeout = String(NODE_TIMEOUT_MS)
  const args = ["--cluster-enabled", "yes", "--cluster-node-timeout", timeout]
  const quick = ["--repl-diskless-sync-delay", "0", "--cluster-replica-validity-factor", "0"]
  const more = { port: await freeClusterPort(), password: CLUSTER_PASSWORD }
  const server = await startRedisServer([...args, ...quick], more)
  return { id: String(await server.client.cluster("MYID")), server }
}

/** Below the range that the system hands out, with the second port as well. */
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
