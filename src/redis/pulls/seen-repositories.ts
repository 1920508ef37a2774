import { hash } from "node:crypto"
import type { PullRef } from "../../ports/github.ts"
import { keys } from "../keys.ts"
import type { RedisClient } from "../script.ts"

/** The list of repositories whose pull requests were followed at this GitHub. */
export function repositoriesKey(apiUrl: string): string {
  return keys.repositories(hash("sha256", apiUrl.toLowerCase(), "base64url").slice(0, 22))
}

/** Those whose pull requests were followed in the last weeks, the latest first. */
export async function seenRepositories(
  redis: RedisClient,
  apiUrl: string,
  most: number,
): Promise<Pick<PullRef, "owner" | "repo">[]> {
  const names = await redis.zrange(repositoriesKey(apiUrl), "0", String(most - 1), "REV")
  return names.flatMap((name) => {
    const [owner, repo] = name.split("/")
    return owner && repo ? [{ owner, repo }] : []
  })
}
