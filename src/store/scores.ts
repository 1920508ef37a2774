import type { Store } from "./script.ts"

/** Reads the members of a sorted set within a range of scores, lowest first. */
export async function scoresOf(
  { redis }: Pick<Store, "redis">,
  key: string,
  from: number | string = "-inf",
  to: number | string = "+inf",
) {
  const flat = await redis.zrangebyscore(key, from, to, "WITHSCORES")
  return flat.flatMap((member, n) => (n % 2 === 0 ? { member, score: Number(flat[n + 1]) } : []))
}
