import { setTimeout as delay } from "node:timers/promises"
import { key } from "../../src/store/redis-keys.ts"
import { listen } from "../sandbox/kit/http-server.ts"
import { type RedisServer, startRedisServer } from "./redis-server.ts"

interface Roles {
  owner: ClusterNode
  replica: ClusterNode
  other: ClusterNode
}

export interface RedisCluster extends AsyncDisposable {
  /** Value for `REDIS_URL`: two of the primaries, neither of which has the bot's keys at first. */
  readonly url: string
  settled(): Promise<Roles>
  /**
   * Moves the bot's keys to another primary in batches, as an operator does.
   * @param halfway runs while each node has some of the keys
   */
  migrate(to: ClusterNode, halfway?: () => Promise<void>): Promise<void>
}

const SLOTS = 16_384

export async function startRedisCluster(): Promise<RedisCluster> {
  const nodes = [await startNode(), await startNode(), await startNode(), await startNode()]
  await unite(nodes, nodes.slice(0, 3))
  const client = nodes[0]?.server.client
  const slot = Number(await client?.cluster("KEYSLOT", key("any")))
  const owner = nodes[Math.floor((slot * 3) / SLOTS)]
  const replica = nodes[3]
  await until(async () => {
    const answer = await replica?.server.client.cluster("REPLICATE", owner?.id ?? "")
    return answer === "OK"
  })
  const settled = async () => {
    // A restarted node believes it is a primary until the others correct it.
    await until(async () => {
      const replicas = await Promise.all(nodes.map(isReplica))
      const all = await Promise.all(nodes.map(isSettled))
      return all.every(Boolean) && replicas.filter(Boolean).length === 1
    })
    return rolesOf(nodes, slot)
  }
  await settled()
  return {
    url: nodes
      .filter((node) => node !== owner && node !== replica)
      .map(({ server }) => server.url)
      .join(","),
    settled,
    async migrate(to, halfway = async () => {}) {
      const roles = await settled()
      await announceMove(slot, roles.owner, to)
      await moveKeys(slot, roles.owner, to, 1)
      await halfway()
      await moveKeys(slot, roles.owner, to, Number.POSITIVE_INFINITY)
      await giveSlot(slot, to, [roles.owner, roles.other])
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(nodes.map(({ server }) => server[Symbol.asyncDispose]()))
    },
  }
}

/** Joins the nodes into one cluster, where each primary gets a third of the slots. */
async function unite(
  nodes: readonly ClusterNode[],
  primaries: readonly ClusterNode[],
): Promise<void> {
  for (const [i, { server }] of nodes.entries())
    await server.client.call("CLUSTER", "SET-CONFIG-EPOCH", i + 1)
  for (const [i, { server }] of primaries.entries()) {
    const from = Math.floor((i * SLOTS) / 3)
    const to = Math.floor(((i + 1) * SLOTS) / 3)
    const slots = Array.from({ length: to - from }, (_, n) => from + n)
    await server.client.cluster("ADDSLOTS", slots)
  }
  const [first, ...rest] = nodes
  for (const { server } of rest)
    await first?.server.client.cluster("MEET", "127.0.0.1", server.port)
}

/** Returns true if a node knows all the others and, if it is a replica, is in sync. */
async function isSettled({ server: { client } }: ClusterNode): Promise<boolean> {
  const info = await client.cluster("INFO")
  return (
    /cluster_state:ok/.test(info) &&
    /cluster_slots_ok:16384/.test(info) &&
    !/fail|handshake/.test(String(await client.cluster("NODES"))) &&
    /role:master|master_link_status:up/.test(await client.info("replication"))
  )
}

async function rolesOf(nodes: readonly ClusterNode[], slot: number): Promise<Roles> {
  for (;;) {
    const ids = await Promise.all(nodes.map((node) => ownerAt(node, slot)))
    const replicas = await Promise.all(nodes.map(isReplica))
    const owner = nodes.find(({ id }) => id === ids[0])
    const replica = nodes[replicas.indexOf(true)]
    const other = nodes.find((node) => node !== owner && node !== replica)
    if (owner && replica && other && new Set(ids).size === 1) return { owner, replica, other }
    await delay(20)
  }
}

async function ownerAt({ server }: ClusterNode, slot: number): Promise<string | undefined> {
  const ranges = await server.client.cluster("SLOTS")
  return ranges.find(([from, to]) => from <= slot && slot <= to)?.[2]?.[2]
}

async function isReplica({ server }: ClusterNode): Promise<boolean> {
  return /role:slave/.test(await server.client.info("replication"))
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds().catch(() => false))) await delay(20)
}

interface ClusterNode {
  readonly id: string
  readonly server: RedisServer
}

/** Password of every node, including those that `REDIS_URL` does not name. */
export const CLUSTER_PASSWORD = "of-the-cluster"
/** Silence in ms after which a node counts as failed; a busy machine must not reach it. */
const NODE_TIMEOUT_MS = 3000
/** Offset of the port on which a node talks to the other nodes. */
const BUS_OFFSET = 10_000
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

/** Announces the move to both nodes: from then on, each serves the keys that it has. */
async function announceMove(slot: number, from: ClusterNode, to: ClusterNode): Promise<void> {
  await to.server.client.cluster("SETSLOT", slot, "IMPORTING", from.id)
  await from.server.client.cluster("SETSLOT", slot, "MIGRATING", to.id)
}

/**
 * Moves batches of keys until the slot is empty or `batches` have been moved.
 * @throws Error naming keys on both nodes, which were written at the wrong node
 */
async function moveKeys(
  slot: number,
  { server: { client } }: ClusterNode,
  { server }: ClusterNode,
  batches: number,
): Promise<void> {
  const how = ["127.0.0.1", server.port, "", 0, 5000, "AUTH", CLUSTER_PASSWORD, "KEYS"]
  for (let moved = 0; moved < batches; moved += 1) {
    const some = await client.cluster("GETKEYSINSLOT", slot, 3)
    if (some.length === 0) return
    try {
      await client.call("MIGRATE", ...how, ...some)
    } catch (error) {
      const there = new Set(await server.client.cluster("GETKEYSINSLOT", slot, 10_000))
      const twice = some.filter((key) => there.has(key)).join(", ")
      throw new Error(`MIGRATE failed; on both nodes: ${twice || "none"}`, { cause: error })
    }
  }
}

/** Assigns the slot at the new node first: until the old node knows, it redirects clients there. */
async function giveSlot(
  slot: number,
  to: ClusterNode,
  others: readonly ClusterNode[],
): Promise<void> {
  for (const { server } of [to, ...others])
    await server.client.cluster("SETSLOT", slot, "NODE", to.id)
}
