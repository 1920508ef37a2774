import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { vi } from "vitest"
import { key } from "../../src/store/redis-keys.ts"
import { listen } from "../sandbox/kit/http-server.ts"
import { type RedisServer, startRedisServer } from "./redis-server.ts"

export type RedisCluster = Awaited<ReturnType<typeof startRedisCluster>>

interface ClusterNode {
  readonly id: string
  readonly server: RedisServer
}

/** Password of every node, including those that `REDIS_URL` does not name. */
export const CLUSTER_PASSWORD = "of-the-cluster"
/** Silence in ms after which a node counts as failed; a busy machine must not reach it. */
const NODE_TIMEOUT_MS = 3000
/** Time in ms after which a replica has given up a fail-over; Redis's own limit is 5 s. */
const GIVEN_UP_MS = 6000
/** Time limit in ms within which nodes must agree. */
const SETTLED_WITHIN_MS = 90_000
/** Offset of the port on which a node talks to the other nodes. */
const BUS_OFFSET = 10_000

export async function startRedisCluster() {
  const primaries = [await startNode(), await startNode(), await startNode()] as const
  const added = await startNode()
  const nodes = [...primaries, added]
  await manage("create", ...primaries.map(addressOf), "--cluster-yes")
  const [first] = primaries
  const slot = Number(await first.server.client.cluster("KEYSLOT", key("any")))
  const { ownerId } = await viewOf(first, slot)
  const asReplica = ["--cluster-slave", "--cluster-master-id", String(ownerId)]
  await manage("add-node", addressOf(added), addressOf(first), ...asReplica)
  const settled = () =>
    vi.waitFor(() => rolesOf(nodes, slot), { timeout: SETTLED_WITHIN_MS, interval: 20 })
  await settled()
  return {
    /** Value for `REDIS_URL`: two of the primaries, neither of which has the bot's keys at first. */
    url: primaries
      .filter(({ id }) => id !== ownerId)
      .map(({ server }) => server.url)
      .join(","),
    settled,
    /**
     * Makes the replica of the node with the bot's keys the primary, as an operator does. Redis only
     * begins it on this command: all nodes still agree on the old roles for a while, and a replica
     * that a busy machine keeps from being elected in time stays one until it is asked again.
     * Resolves once all nodes agree.
     */
    async failOver(): Promise<void> {
      const { replica } = await settled()
      while ((await settled()).owner !== replica) {
        await replica.server.client.cluster("FAILOVER")
        await takesOver(replica, GIVEN_UP_MS)
      }
    },
    /**
     * Moves the bot's keys to another primary in batches, as an operator does.
     * @param halfway runs while each node has some of the keys
     */
    async migrate(to: ClusterNode, halfway?: () => Promise<void>) {
      const { owner: from, other } = await settled()
      // From then on, each of both nodes serves the keys that it has.
      await to.server.client.cluster("SETSLOT", slot, "IMPORTING", from.id)
      await from.server.client.cluster("SETSLOT", slot, "MIGRATING", to.id)
      await moveSome(slot, from, to)
      await halfway?.()
      while (await moveSome(slot, from, to));
      // At the new node first: until the old node knows, it redirects clients there.
      for (const { server } of [to, from, other])
        await server.client.cluster("SETSLOT", slot, "NODE", to.id)
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(nodes.map(({ server }) => server[Symbol.asyncDispose]()))
    },
  }
}

const addressOf = ({ server }: ClusterNode) => `127.0.0.1:${server.port}`

/** Runs one of redis-cli's commands for clusters, as an operator does. */
async function manage(...args: readonly string[]): Promise<void> {
  await promisify(execFile)("redis-cli", ["-a", CLUSTER_PASSWORD, "--cluster", ...args])
}

/** Returns the nodes by their role. @throws Error until all nodes agree */
async function rolesOf(nodes: readonly ClusterNode[], slot: number) {
  const views = await Promise.all(nodes.map((node) => viewOf(node, slot)))
  const ids = new Set(views.map(({ ownerId }) => ownerId))
  const owner = nodes.find(({ id }) => ids.has(id))
  const replica = nodes[views.findIndex(({ isReplica }) => isReplica)]
  const other = nodes.find((node) => node !== owner && node !== replica)
  // A restarted node believes it is a primary until the others correct it.
  const isAgreed = ids.size === 1 && views.filter(({ isReplica }) => isReplica).length === 1
  const isSettled = views.every((view) => view.isSettled)
  if (owner && replica && other && isAgreed && isSettled) return { owner, replica, other }
  throw new Error("The nodes do not agree on their roles yet")
}

/** Resolves once a node is a primary, or after this time. */
async function takesOver({ server: { client } }: ClusterNode, timeout: number): Promise<void> {
  const isPrimary = async () => /role:master/.test(await client.info("replication"))
  await vi.waitUntil(isPrimary, { timeout, interval: 20 }).catch(() => {})
}

async function viewOf({ server: { client } }: ClusterNode, slot: number) {
  const [state, nodes] = [await client.cluster("INFO"), String(await client.cluster("NODES"))]
  const [replication, ranges] = [await client.info("replication"), await client.cluster("SLOTS")]
  return {
    ownerId: ranges.find(([from, to]) => from <= slot && slot <= to)?.[2]?.[2],
    isReplica: /role:slave/.test(replication),
    /** True if the node knows all the others and, if it is a replica, is in sync. */
    isSettled:
      /cluster_state:ok/.test(state) &&
      /cluster_slots_ok:16384/.test(state) &&
      !/fail|handshake/.test(nodes) &&
      /role:master|master_link_status:up/.test(replication),
  }
}

async function startNode(): Promise<ClusterNode> {
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
  const server = await listen(port, () => {}).catch(() => undefined)
  await server?.close()
  return server !== undefined
}

/**
 * Moves a few keys. @returns false if there is none
 * @throws Error naming keys on both nodes, which were written at the wrong node
 */
async function moveSome(slot: number, from: ClusterNode, to: ClusterNode): Promise<boolean> {
  const [client, target] = [from.server.client, to.server.client]
  const some = await client.cluster("GETKEYSINSLOT", slot, 3)
  if (some.length === 0) return false
  const how = ["127.0.0.1", to.server.port, "", 0, 5000, "AUTH", CLUSTER_PASSWORD, "KEYS"]
  try {
    await client.call("MIGRATE", ...how, ...some)
    return true
  } catch (error) {
    const there = new Set(await target.cluster("GETKEYSINSLOT", slot, 10_000))
    const twice = some.filter((key) => there.has(key)).join(", ")
    throw new Error(`MIGRATE failed; on both nodes: ${twice || "none"}`, { cause: error })
  }
}
