import { z } from "zod"
import { APPLY, keysOf, type Op } from "./commit.ts"
import { type Store, script } from "./script.ts"

/**
 * Lua. Tells whether Redis has room for more. With `noeviction` a full Redis refuses every write,
 * even one that ends a job, so the bot refuses new entries before that.
 */
const HAS_ROOM = `
local function hasRoom()
  local info = redis.pcall('INFO', 'memory')
  if type(info) ~= 'string' then info = '' end
  local function fact(name) return tonumber(string.match(info, '\\n' .. name .. ':(%d+)')) or 0 end
  local most = fact('maxmemory')
  if most == 0 then most = fact('total_system_memory') end
  return most == 0 or fact('used_memory') < most * 0.9
end
`

const enqueueScript = script(
  z.tuple([z.enum(["queued", "known", "same", "full", "no_room"]), z.coerce.string()]),
  "record text seen same",
  "id most anyway seenMs sameMs sets words ops waitings",
  `${APPLY}${HAS_ROOM}
local known = redis.call('GET', seen)
if known then return {'known', known} end
local other = anyway == '' and redis.call('GET', same)
if other then return {'same', other} end
local count = 0
for i = further, further + tonumber(waitings) - 1 do count = count + redis.call('ZCARD', KEYS[i]) end
if count >= tonumber(most) then return {'full', count} end
if not hasRoom() then return {'no_room', ''} end
redis.call('HSET', record, 'rev', 1, 'at', string.format('%.0f', now), unpack(ARGV, rest, rest + tonumber(sets) - 1))
redis.call('SET', text, words)
apply(cjson.decode(ops), record)
-- Last: what could not be written down was not seen, so that a repetition is heard.
redis.call('SET', same, id, 'PX', sameMs)
redis.call('SET', seen, id, 'PX', seenMs)
return {'queued', id}
`,
)

export interface Entry {
  id: string
  record: string
  text: string
  /** The keys that remember its delivery (`seen`) and its content (`same`). */
  seen: string
  same: string
  /** True to store it even if the same person asked for the same a while ago. */
  anyway: boolean
  seenMs: number
  sameMs: number
  set: Readonly<Record<string, string>>
  words: string
  ops: readonly Op[]
  /** The keys of this person's waiting jobs; with `most` or more in them the script refuses the entry. */
  waiting: readonly string[]
  most: number
}

export type Entered =
  | { outcome: "queued" | "known" | "same"; id: string }
  | { outcome: "full"; waiting: number }
  | { outcome: "no_room" }

/**
 * Stores a new record once per delivery. Returns `known` for a delivery seen before and `same` if
 * the same person asked for the same a while ago.
 */
export async function enqueue(store: Store, entry: Entry): Promise<Entered> {
  const { id, record, text, seen, same, ops, waiting, words } = entry
  const flat = Object.entries(entry.set).flat()
  const args = {
    id,
    most: entry.most,
    anyway: entry.anyway ? "1" : "",
    seenMs: entry.seenMs,
    sameMs: entry.sameMs,
    sets: flat.length,
    words,
    ops: JSON.stringify(ops),
    waitings: waiting.length,
  }
  const keys = { record, text, seen, same }
  const further = [...waiting, ...keysOf(ops).filter((key) => !waiting.includes(key))]
  const [outcome, value] = await enqueueScript(store, keys, args, flat, further)
  if (outcome === "no_room") return { outcome }
  return outcome === "full" ? { outcome, waiting: Number(value) } : { outcome, id: value }
}
