import { setTimeout as delay } from "node:timers/promises"
import type { Redis } from "ioredis"
import { secret } from "../../../src/config/secret.ts"
import { keys } from "../../../src/redis/keys.ts"
import { botMessages } from "../../helpers/reading.ts"
import type { RedisServer } from "../../helpers/redis-server.ts"
import { ADA, BEN, DOCS } from "../../sandbox/slack/seed/ids.ts"
import { SECRETS, startTestBed } from "../../sandbox/test-bed.ts"
import { promptOf } from "./commands.ts"

/** A job that is followed until it ends, or one that waits for a place in the hour. */
export type Kind = "active" | "waiting"

/** The keys of one job of each kind, as the bot itself wrote them. */
export interface Pattern {
  record: string
  prompt: string
  /** What leads back to it: its thread, its delivery, its words, its reply address. */
  notes: string[]
}

/**
 * Lets the whole bot take one job until it is followed, and one that has to wait, both with a card
 * that says so. They stay in Redis, to be copied.
 */
export async function pendingJobs({ client, url }: RedisServer): Promise<Record<Kind, Pattern>> {
  await using testBed = await startTestBed({
    address: { kind: "server", url: secret(url) },
    docs: { idFor: () => "3f6a2f0e-8f5e-4a7e-9d58-0c7f4c0a1b2d" },
    env: { LOG_LEVEL: "error", JOBS_PER_HOUR: "1", RESERVED_SLOTS: "0" },
  })
  testBed.docs.planAll({ ending: "never", afterMs: 0 })
  const says = (words: string) =>
    testBed.slack.until((slack) =>
      botMessages(slack, DOCS).some(({ text }) => text.includes(words)),
    )
  await testBed.slack.as(ADA).slash(DOCS, "/docs-agent", promptOf(1))
  await says("Working on it")
  await testBed.slack.as(BEN).slash(DOCS, "/docs-agent", promptOf(2))
  await says("Next in line")
  while ((await client.exists(keys.outbox)) > 0) await delay(20)
  const [active = ""] = await client.zrange(keys.due, "0", "-1")
  const [waiting = ""] = await client.zrange(keys.project(SECRETS.project).wait, "0", "-1")
  // A project is one at one service: it is to be that of whichever service the benchmark has.
  await client.del(keys.projects)
  return { active: await patternOf(client, active), waiting: await patternOf(client, waiting) }
}

async function patternOf(client: Redis, id: string): Promise<Pattern> {
  const notes: string[] = [keys.reply(id)]
  for (const name of await client.keys("*"))
    if (/:(seen|same|thread):/.test(name) && (await client.get(name)) === id) notes.push(name)
  if (notes.length !== 4) throw new Error(`Notes about ${id}: ${notes.join(", ")}`)
  return { record: keys.job(id), prompt: keys.prompt(id), notes }
}

/** Each key is copied under a name whose last ten characters, an id's length, are the copy's own. */
const COPY = `
for n = tonumber(ARGV[1]), tonumber(ARGV[2]) do
  local id = string.format('%010d', n)
  for _, key in ipairs(KEYS) do redis.call('COPY', key, key:sub(1, -11) .. id) end
end
`

/** Puts copies into the sets in which the bot finds them; each person has as many as one may have. */
const LIST = `
local queue, users, waiting = unpack(KEYS)
local _, last, score = unpack(ARGV)
for n = tonumber(ARGV[1]), tonumber(last) do
  local id = string.format('%010d', n)
  local user = string.format('U%08d', math.floor(n / 50))
  redis.call('ZADD', queue, score + n / 100, id)
  redis.call('ZADD', users .. user, score, id)
  if waiting then redis.call('ZADD', waiting .. user, score, id) end
end
`

const AT_ONCE = 5000

/** Copies so many keys of a job, from number `first` on. */
export async function copyKeys(
  client: Redis,
  names: readonly string[],
  { first, count }: { first: number; count: number },
): Promise<void> {
  for (let n = first; n < first + count; n += AT_ONCE)
    await client.eval(COPY, names.length, ...names, n, Math.min(n + AT_ONCE, first + count) - 1)
}

/** Lists copies as pending. @param score due at, ms; or the fair tag */
export async function listJobs(
  client: Redis,
  kind: Kind,
  { first, count, score }: { first: number; count: number; score: number },
): Promise<void> {
  const { wait } = keys.project(SECRETS.project)
  const sets = [kind === "active" ? keys.due : wait, keys.user("")]
  if (kind === "waiting") sets.push(keys.waiting(SECRETS.project, ""))
  for (let n = first; n < first + count; n += AT_ONCE)
    await client.eval(
      LIST,
      sets.length,
      ...sets,
      n,
      Math.min(n + AT_ONCE, first + count) - 1,
      score,
    )
}
