import { setTimeout as delay } from "node:timers/promises"
import type { Redis } from "ioredis"
import { secret } from "../../../src/config/secret.ts"
import { keys } from "../../../src/redis/keys.ts"
import { startHouse } from "../../../src/sandbox/house.ts"
import { ADA, DOCS } from "../../../src/sandbox/slack/seed/ids.ts"
import type { RedisServer } from "../../helpers/redis-server.ts"
import { promptOf } from "./commands.ts"

/** What the store holds of one job that the docs agent is working on. */
export interface Pattern {
  id: string
  hash: Record<string, string>
  prompt: string
  /** Notes that run out: the delivery, the fingerprint, the thread, the reply address. */
  notes: { name: string; value: string; leftMs: number }[]
}

/**
 * Lets the whole bot take one job until it is active and its card says so, and reads what that left
 * in Redis. The server is empty afterwards.
 */
export async function activeJob({ client, url }: RedisServer): Promise<Pattern> {
  const house = await startHouse({
    address: { kind: "server", url: secret(url) },
    docs: { idFor: () => uniqueOf(1, 36) },
    env: { LOG_LEVEL: "error" },
  })
  house.docs.planAll({ ending: "never", afterMs: 0 })
  await house.slack.as(ADA).slash(DOCS, "/docs-agent", promptOf(1))
  await house.slack.until((slack) =>
    slack
      .channel(DOCS)
      .messages()
      .some(({ text }) => text.includes("is working")),
  )
  while ((await client.exists(keys.outbox)) > 0) await delay(20)
  const [id = ""] = await client.zrange(keys.due, "0", "-1")
  const [hash, prompt, notes] = await Promise.all([
    client.hgetall(keys.job(id)),
    client.get(keys.prompt(id)),
    notesOf(client, id),
  ])
  await house[Symbol.asyncDispose]()
  await client.flushall()
  return { id, hash, prompt: prompt ?? "", notes }
}

async function notesOf(client: Redis, id: string): Promise<Pattern["notes"]> {
  const kinds = ["seen", "same", "thread", "reply"].map((kind) => `{da}:${kind}:`)
  const names = (await client.keys("*")).filter((name) => kinds.some((k) => name.startsWith(k)))
  const notes = await Promise.all(
    names.map(async (name) => ({
      name,
      value: (await client.get(name)) ?? "",
      leftMs: await client.pttl(name),
    })),
  )
  if (notes.length !== kinds.length) throw new Error(`Notes about ${id}: ${names.join(", ")}`)
  return notes
}

/** The parts of a job's record that can be written, and weighed, one after the other. */
export type Part = "record" | "prompt" | "notes"

const BATCH = 2000

/** Writes so many jobs like the pattern, from number `first` on, each with ids of its own. */
export async function copyJobs(
  { client }: Pick<RedisServer, "client">,
  pattern: Pattern,
  range: { first: number; count: number; dueAt: (n: number) => number },
  parts: readonly Part[] = ["record", "prompt", "notes"],
): Promise<void> {
  for (let done = 0; done < range.count; done += BATCH) {
    const batch = client.pipeline()
    for (let i = done; i < Math.min(done + BATCH, range.count); i += 1) {
      const n = range.first + i
      const id = uniqueOf(n, pattern.id.length)
      if (parts.includes("record")) {
        batch.hset(keys.job(id), { ...pattern.hash, ...ownFields(pattern, n) })
        batch.zadd(keys.due, range.dueAt(n), id)
      }
      if (parts.includes("prompt")) batch.set(keys.prompt(id), pattern.prompt)
      if (parts.includes("notes"))
        for (const { name, value, leftMs } of pattern.notes)
          batch.set(renamed(name, pattern.id, id, n), value.replace(pattern.id, id), "PX", leftMs)
    }
    await batch.exec()
  }
}

/** What no two jobs share. */
function ownFields({ hash }: Pattern, n: number): Record<string, string> {
  const { agent = "", card = "", user = "" } = hash
  return {
    agent: uniqueOf(n, agent.length),
    card: `${card.slice(0, 10)}.${String(n % 1_000_000).padStart(6, "0")}`,
    user: `U${String(n % 5000).padStart(user.length - 1, "0")}`,
  }
}

function renamed(name: string, oldId: string, id: string, n: number): string {
  const at = name.lastIndexOf(":") + 1
  const last = name.slice(at)
  return name.slice(0, at) + (last === oldId ? id : uniqueOf(n, last.length))
}

/** A text of this length that belongs to this number, and looks as random as an id. */
function uniqueOf(n: number, length: number): string {
  const digits = ((n + 1) * 2_654_435_761).toString(30).padStart(length, "x")
  return digits.slice(-length)
}
