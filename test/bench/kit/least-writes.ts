import { keys } from "../../../src/redis/keys.ts"
import type { RedisServer } from "../../helpers/redis-server.ts"
import { DOCS, TEAM } from "../../sandbox/slack/seed/ids.ts"
import { SECRETS } from "../../sandbox/test-bed.ts"
import { promptOf } from "./commands.ts"
import { emptied, redisCounts } from "./redis-counts.ts"

/** Commands that arrive together, as ours send them under this load. */
const TOGETHER = 7

/** The twelve writes of a request, of the length ours have, by a script that looks at nothing before. */
const WRITES = `
local seen, same, job, prompt, jobs, waiting, busy, carding, outbox, wait, last, reply = unpack(KEYS)
local id, user, at, tag, words, url, queue = unpack(ARGV)
redis.call('HSET', job, unpack(ARGV, 8))
redis.call('HSET', last, user, tag)
redis.call('SET', prompt, words)
redis.call('ZADD', jobs, at, id)
redis.call('ZADD', waiting, tag, id)
redis.call('SADD', busy, queue)
redis.call('ZADD', carding, tag, id)
redis.call('ZADD', outbox, at, id)
redis.call('ZADD', wait, tag, id)
redis.call('SET', reply, url, 'PX', '1800000')
redis.call('SET', same, id, 'PX', '900000')
redis.call('SET', seen, id, 'PX', '90000000')
return 1
`

/** CPU of Redis for each of so many such writes into an empty store, µs. */
export async function leastWrites(
  redis: RedisServer,
  count: number,
  people: readonly string[],
): Promise<number> {
  await emptied(redis)
  const sha = String(await redis.client.script("LOAD", WRITES))
  const before = await redisCounts(redis)
  for (let n = 0; n < count; n += TOGETHER) {
    const together = redis.client.pipeline()
    for (let one = n; one < Math.min(n + TOGETHER, count); one += 1)
      together.evalsha(sha, 12, ...written(one, people[one % people.length] ?? ""))
    await together.exec()
  }
  const after = await redisCounts(redis)
  return ((after.cpuMs - before.cpuMs) * 1000) / count
}

/** Keys and arguments of one. */
function written(n: number, user: string): string[] {
  const [id, at] = [String(n).padStart(12, "x"), String(Date.now())]
  const tag = `1.${String(n).padStart(9, "0")}`
  const url = `http://127.0.0.1:9/commands/${TEAM}/${n}/0a1b2c3d4e5f6a7b8c9d0e1f`
  const { wait, last } = keys.project(SECRETS.project)
  const project = SECRETS.project
  const own = [keys.seen(`${TEAM}:${n}.2141029472`), keys.same(String(n).padStart(43, "x"))]
  const ofJob = [keys.job(id), keys.prompt(id), keys.user(user), keys.waiting(project, user)]
  const shared = [keys.busy, keys.carding, keys.outbox, wait, last, keys.reply(id)]
  const record = ["v", "1", "state", "queued", "rev", "1", "project", project, "user", user]
  const more = ["at", at, "tag", tag, "team", TEAM, "channel", DOCS]
  const values = [id, user, at, tag, promptOf(n), url, project]
  return [...own, ...ofJob, ...shared, ...values, ...record, ...more]
}
