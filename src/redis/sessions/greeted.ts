import type { Greeted } from "../../sessions/ports.ts"
import { keys } from "../keys.ts"
import type { RedisClient } from "../script.ts"

export function createGreeted(redis: RedisClient): Greeted {
  return {
    begin: async (user) => (await redis.sadd(keys.greeted, user)) === 1,
    async undo(user) {
      await redis.srem(keys.greeted, user)
    },
  }
}
