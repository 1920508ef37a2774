import type { RedisClient } from "../redis/script.ts"
import { readServerFacts } from "../redis/server-facts.ts"
import { redisTime } from "../redis/slot-store.ts"
import type { StoreFacts } from "./facts.ts"

/** Asks a Redis about itself. Never throws. @param embedded is it a redis-server of ours? */
export async function readStore(redis: RedisClient, embedded: boolean): Promise<StoreFacts> {
  // The client answers commands with "too many retries", "timed out" or "closed", and tells the reason
  // only to its listeners.
  let lastError: Error | undefined
  const listen = (error: Error) => {
    if (!lastError || reasonOf(error) !== "Connection is closed.") lastError = error
  }
  redis.on("error", listen)
  redis.on("node error", listen)
  try {
    const servers = await readServerFacts(redis)
    return { state: "answers", embedded, servers, skewMs: await clockSkew(redis) }
  } catch (error) {
    return { state: "away", reason: reasonOf(isReply(error) ? error : (lastError ?? error)) }
  } finally {
    redis.off("error", listen)
    redis.off("node error", listen)
  }
}

/** Redis' own word is the best reason there is. */
function isReply(error: unknown): boolean {
  return error instanceof Error && error.name === "ReplyError"
}

/** Redis' clock minus ours, as if it had read it in the middle of the round trip, ms. */
async function clockSkew(redis: RedisClient): Promise<number> {
  const before = Date.now()
  const theirs = await redisTime(redis)
  return theirs - (before + Date.now()) / 2
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "no answer"
  // A cluster client wraps what the last node said.
  const { lastNodeError } = error as { lastNodeError?: unknown }
  return lastNodeError instanceof Error ? lastNodeError.message : error.message
}
