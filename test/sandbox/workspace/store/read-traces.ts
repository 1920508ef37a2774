import { z } from "zod"
import { JOB_PREFIX, keys } from "../../../../src/redis/keys.ts"
import type { RedisClient } from "../../../../src/redis/script.ts"

/** What Redis holds about one request at one moment, as field → value. */
export type Traces = ReadonlyMap<string, string>

export interface Seen {
  readonly words: string
  readonly traces: Traces
}

/** The sandbox shows the newest requests; reading a thousand for each click would slow the bot. */
const MOST = 60

/** Sorted sets a request moves through, in the words of the people who look at it. */
function queuesOf(projects: readonly string[]): [name: string, key: string][] {
  return [
    ["waits for a card", keys.carding],
    ["has something to say in Slack", keys.outbox],
    ["next poll", keys.due],
    ...projects.flatMap((name): [string, string][] => [
      ["place in the fair order", keys.project(name).wait],
      ["slot of the hour", keys.project(name).log],
      ["creation under way", keys.project(name).creating],
    ]),
  ]
}

const flat = z.array(z.string())

/** Reads the newest requests and where each stands in the queues. */
export async function readTraces(
  redis: RedisClient,
  projects: readonly string[],
): Promise<Map<string, Seen>> {
  const ids = await newestIds(redis)
  const queues = await Promise.all(
    queuesOf(projects).map(async ([name, key]) => {
      return {
        name,
        scores: scoresOf(flat.parse(await redis.zrange(key, "0", "-1", "WITHSCORES"))),
      }
    }),
  )
  const seen = await Promise.all(
    ids.map(async (id): Promise<[string, Seen] | undefined> => {
      const [record, prompt] = await Promise.all([
        redis.hgetall(keys.job(id)),
        redis.get(keys.prompt(id)),
      ])
      if (record.state === undefined) return undefined
      const { v: _, ...fields } = record
      const places = queues.flatMap(({ name, scores }): [string, string][] => {
        const score = scores.get(id)
        return score === undefined ? [] : [[name, score]]
      })
      return [
        id,
        { words: wordsOf(prompt), traces: new Map([...Object.entries(fields), ...places]) },
      ]
    }),
  )
  return new Map(seen.filter((one) => one !== undefined))
}

/** By when they were asked, which is what the field `at` holds. */
async function newestIds(redis: RedisClient): Promise<string[]> {
  const found = await redis.keys(`${JOB_PREFIX}*`)
  const dated = await Promise.all(
    found.map(async (key) => ({ key, at: Number(await redis.hget(key, "at")) })),
  )
  return dated
    .toSorted((a, b) => b.at - a.at)
    .slice(0, MOST)
    .map(({ key }) => key.slice(JOB_PREFIX.length))
}

/** Members are an id, or an id and a person after a space. */
function scoresOf(pairs: readonly string[]): Map<string, string> {
  const scores = new Map<string, string>()
  for (let i = 0; i + 1 < pairs.length; i += 2) {
    const [id = ""] = (pairs[i] ?? "").split(" ")
    scores.set(id, pairs[i + 1] ?? "")
  }
  return scores
}

const promptRecord = z.object({ words: z.string() })

function wordsOf(prompt: string | null): string {
  if (prompt === null) return ""
  try {
    return promptRecord.parse(JSON.parse(prompt)).words
  } catch {
    return ""
  }
}
