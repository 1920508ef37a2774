import { HOUR_MS } from "../lib/time.ts"
import { faultNotice, type Notice } from "../messages/admin-notices.ts"
import type { Setup } from "../messages/fault-words.ts"
import { key } from "../store/redis-keys.ts"
import { currentTime, type Store } from "../store/script.ts"
import type { NoAnswer, Reading } from "./github-client.ts"
import { REFUSED_MS } from "./github-schedule.ts"

/**
 * Maximum of counted requests in a rolling hour: half of the 5,000 that GitHub allows a token,
 * because people and other programs may use the same token. First looks and clicks always find
 * room in it: 99 requests and 99 follow-ups an hour need fewer than the reserved ones.
 */
const PER_HOUR = 2500
const RESERVED = 800
const MINUTE_MS = 60_000

/** Name of the token among what GitHub refuses, beside keys of repositories. */
export const TOKEN = "token"

const pauseKey = (tokenHash: string) => key("github", tokenHash, "pause")
const refusedKey = (tokenHash: string) => key("github", tokenHash, "refused")
/** Hash of counted requests by minute, in which an hour takes 61 fields. */
const spentKey = (tokenHash: string) => key("github", tokenHash, "spent")

/**
 * Pauses all requests with the token if GitHub demands that, because its limits apply to the token.
 * Counts the requests of a reading, and drops those that were more than an hour ago.
 */
export async function noteReading(
  { redis }: Store,
  tokenHash: string,
  { answer, counted }: Reading<object | NoAnswer>,
  now: number,
): Promise<void> {
  if ("pauseMs" in answer && answer.pauseMs)
    await redis.set(pauseKey(tokenHash), "1", "PX", Math.ceil(answer.pauseMs))
  if (counted === 0) return
  const at = spentKey(tokenHash)
  const minute = Math.floor(now / MINUTE_MS)
  const old = Object.keys(await redis.hgetall(at)).filter((one) => Number(one) < minute - 60)
  if (old.length > 0) await redis.hdel(at, ...old)
  await redis
    .multi()
    .hincrby(at, String(minute), counted)
    .pexpire(at, HOUR_MS + MINUTE_MS)
    .exec()
}

/** Resolves to the ms for which GitHub still wants no requests with the token. */
export async function pauseLeft({ redis }: Store, tokenHash: string): Promise<number> {
  return Math.max(0, await redis.pttl(pauseKey(tokenHash)))
}

/** Returns the ms until fewer requests than the bot's share were made in the last hour. Pure. */
function untilRoom(spent: Readonly<Record<string, string>>, now: number): number {
  let left = PER_HOUR - RESERVED
  const newestFirst = Object.entries(spent)
    .map(([minute, counted]) => ({ endsAt: (Number(minute) + 1) * MINUTE_MS + HOUR_MS, counted }))
    .filter(({ endsAt }) => endsAt > now)
    .toSorted((a, b) => b.endsAt - a.endsAt)
  for (const { endsAt, counted } of newestFirst) {
    left -= Number(counted)
    if (left <= 0) return endsAt - now
  }
  return 0
}

/**
 * Resolves to what holds polls back now, for how long and until when, in ms; undefined if nothing
 * does.
 */
export async function limitInForce(store: Store, tokenHash: string) {
  const [now, pauseMs, spent] = await Promise.all([
    currentTime(store),
    pauseLeft(store, tokenHash),
    store.redis.hgetall(spentKey(tokenHash)),
  ])
  const limit = (fault: "github_limit" | "github_share", leftMs: number) =>
    leftMs > 0 ? { fault, leftMs, until: now + leftMs } : undefined
  return limit("github_limit", pauseMs) ?? limit("github_share", untilRoom(spent, now))
}

/** Lists what GitHub still refused at the last poll. */
export async function gitHubRefusals({ redis }: Store, tokenHash: string, setup: Setup) {
  const refused = Object.entries(await redis.hgetall(refusedKey(tokenHash)))
  return refused.map(([of, repository]) => refusalNotice(tokenHash, of, { ...setup, repository }))
}

/** Makes the notice of a refusal. @param of `TOKEN`, or the key of a repository */
export function refusalNotice(tokenHash: string, of: string, setup: Setup): Notice {
  const fault = of === TOKEN ? "github_token" : "github_repository"
  return faultNotice(fault, setup, `github:${tokenHash}:${of}`)
}

/** Stores a refusal until after the next poll, which repeats it as long as GitHub refuses. */
export async function noteRefusal(
  { redis }: Store,
  tokenHash: string,
  of: string,
  repository: string,
): Promise<void> {
  const at = refusedKey(tokenHash)
  await redis
    .multi()
    .hset(at, of, repository)
    .pexpire(at, 2 * REFUSED_MS)
    .exec()
}

/** Lists what GitHub refused at the last poll, as `TOKEN` and keys of repositories. */
export function refusedAtLast({ redis }: Store, tokenHash: string): Promise<string[]> {
  return redis.hkeys(refusedKey(tokenHash))
}

export async function endRefusals({ redis }: Store, tokenHash: string, of: readonly string[]) {
  if (of.length > 0) await redis.hdel(refusedKey(tokenHash), ...of)
}
