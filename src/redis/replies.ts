import { z } from "zod"

/** What Lua's HGETALL gives: names and values in turn. */
export const flatHash = z.array(z.string()).transform((flat) => {
  const hash: Record<string, string> = {}
  for (let i = 0; i + 1 < flat.length; i += 2) hash[flat[i] ?? ""] = flat[i + 1] ?? ""
  return hash
})

/** Members of a sorted set with their scores. */
export function pairs(flat: readonly string[]): { member: string; at: number }[] {
  return flat.flatMap((member, i) => (i % 2 ? [] : [{ member, at: Number(flat[i + 1] ?? 0) }]))
}
