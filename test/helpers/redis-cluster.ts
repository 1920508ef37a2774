import { setTimeout as delay } from "node:timers/promises"
import { key } from "../../src/store/redis-keys.ts"
import { type ClusterNode, startNode } from "./redis-cluster-node.ts"
import { announceMove, giveSlot, moveKeys } from "./redis-cluster-slot.ts"

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
