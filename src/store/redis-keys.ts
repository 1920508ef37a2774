/**
 * Hash tag of every key: the scripts touch several keys at once, and Redis Cluster runs a script
 * only if all its keys have one hash slot.
 */
const TAG = "{da}"

export function key(...parts: readonly string[]): string {
  return [TAG, ...parts].join(":")
}

/** Channel on which workers learn that something has become due sooner. */
export const WAKE_CHANNEL = key("wake")

/**
 * Key that is never written and that every script names in a cluster. While the keys move from one
 * node to another, Redis then refuses a script with this and any other key until all have moved
 * ("TRYAGAIN": commands of several keys, all of which must be on one node). Otherwise the script
 * would run on the node with some of the keys and treat the others as missing: the bot would never
 * poll a running job again.
 */
export const NEVER_WRITTEN = key("never-written")
