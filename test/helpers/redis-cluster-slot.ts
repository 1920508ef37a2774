import { CLUSTER_PASSWORD, type ClusterNode } from "./redis-cluster-node.ts"

/** From now on both serve what they have. */
export async function announceMove(
  slot: number,
  from: ClusterNode,
  to: ClusterNode,
): Promise<void> {
  await to.server.client.cluster("SETSLOT", slot, "IMPORTING", from.id)
  await from.server.client.cluster("SETSLOT", slot, "MIGRATING", to.id)
}

/**
 * Moves batches of keys until there are no more, or so many batches were moved.
 * @throws Error naming the keys that are on both nodes: a key that was written where it was not
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

/** The new one first: until the old one knows, it sends everybody there. */
export async function giveSlot(
  slot: number,
  to: ClusterNode,
  others: readonly ClusterNode[],
): Promise<void> {
  for (const { server } of [to, ...others])
    await server.client.cluster("SETSLOT", slot, "NODE", to.id)
}
