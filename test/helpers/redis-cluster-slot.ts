import { CLUSTER_PASSWORD, type ClusterNode } from "./redis-cluster-node.ts"

/** Announces the move to both nodes: from then on, each serves the keys that it has. */
export async function announceMove(
  slot: number,
  from: ClusterNode,
  to: ClusterNode,
): Promise<void> {
  await to.server.client.cluster("SETSLOT", slot, "IMPORTING", from.id)
  await from.server.client.cluster("SETSLOT", slot, "MIGRATING", to.id)
}

/**
 * Moves batches of keys until the slot is empty or `batches` have been moved.
 * @throws Error naming keys on both nodes, which were written at the wrong node
 */
export async function moveKeys(
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
export async function giveSlot(
  slot: number,
  to: ClusterNode,
  others: readonly ClusterNode[],
): Promise<void> {
  for (const { server } of [to, ...others])
    await server.client.cluster("SETSLOT", slot, "NODE", to.id)
}
