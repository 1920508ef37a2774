import { randomBytes } from "node:crypto"
import { z } from "zod"
import { FAIR_TAG } from "./fair-order.ts"
import { toHash } from "./record-fields.ts"
import { SCHEDULES } from "./schedule-and-leases.ts"
import { type Store, script } from "./script.ts"
import { NEARLY_FULL } from "./server-state.ts"

/** Changes that a commit makes in the same script as its record. */
export type Op =
  /** Adds the member to a schedule or makes it due sooner; `onlyIfAbsent` keeps its due time. */
  | { do: "due"; key: string; member: string; inMs: number; onlyIfAbsent?: boolean }
  /** Ends the lease that the commit holds; the member is due again in `inMs`. */
  | { do: "give_back"; key: string; member: string; inMs: number }
  | { do: "score"; key: string; member: string; score: number }
  /** Lowers an existing entry's score, the latest possible arrival, to the current time. */
  | { do: "stamp"; key: string; member: string }
  /** Adds the member to a list that keeps its `most` newest for `keepMs`. */
  | { do: "list"; key: string; member: string; score: number; most: number; keepMs: number }
  | { do: "leave"; key: string; member: string }
  /** Adds the member behind this person's others in a fair queue, and its tag to its record. */
  | ({ do: "enqueue"; member: string; record: string; user: string } & FairQueue)
  /** Writes another, new record. */
  | { do: "record"; key: string; fields: Record<string, string> }
  | { do: "add"; key: string; member: string }
  /** Stores a text for `keepMs`; without it, for as long as a text there was to stay. */
  | { do: "put"; key: string; value: string; keepMs?: number }
  | { do: "keep"; keys: readonly string[]; ms: Keep }
  | { do: "drop"; key: string }
  /** Publishes that `what` is due now: see `wake-ups.ts`. */
  | { do: "tell"; what: string }
  /** Adds an entry to a stream and trims entries older than `keepMs`. */
  | { do: "note"; key: string; keepMs: number; fields: Record<string, string> }

/** Keys of a fair queue; `waiting` is that of one person's entries: see `fair-order.ts`. */
export interface FairQueue {
  wait: string
  waiting: string
  last: string
  creating: string
}

export type Keep = number | "ever"

export interface Writing {
  /** Key of the record. */
  record: string
  /** Value of `rev` that the change is based on; undefined if the record must not exist yet. */
  rev: string | undefined
  set?: Readonly<Record<string, unknown>>
  /** Time in ms for which to keep the record from now on; absent for no change. */
  keepMs?: Keep | undefined
  ops?: readonly Op[]
  unless?: Unless | undefined
  /** Lease that the caller must still hold, otherwise the commit writes nothing. */
  lease?: { key: string; member: string; lease: string } | undefined
}

/** Reasons not to write; the first that applies is the answer. */
export interface Unless {
  /** Keys that hold an earlier record's id, each with the answer if it exists and isn't `except`. */
  taken: readonly { key: string; answer: string; except?: string | undefined }[]
  /** A person's entries in fair queues, and their maximum; absent: a full Redis is no reason. */
  full?: { queues: readonly Pick<FairQueue, "wait" | "waiting">[]; most: number }
}

/** Bytes of a commit's token, and the characters of those that a record keeps, eight with a space. */
const TOKEN_BYTES = 9
const DONE_CHARS = 8 * 13
/** Time in ms for which a deleted record leaves its note: much longer than ioredis resends. */
const DELETED_MS = 60_000

/** Lua. Carries out each `Op`. */
const CARRY_OUT = `${SCHEDULES}${FAIR_TAG}
local function flat(fields)
  local list = {}
  for name, value in pairs(fields) do
    list[#list + 1] = name
    list[#list + 1] = value
  end
  return unpack(list)
end
local function keepFor(key, ms)
  if ms == 'ever' then redis.call('PERSIST', key)
  elseif ms then redis.call('PEXPIRE', key, ms) end
end
local carryOut = {
  due = function(op) due(op.key, op.member, op.inMs, op.onlyIfAbsent) end,
  give_back = function(op) giveBack(op.key, op.member, op.inMs) end,
  score = function(op) redis.call('ZADD', op.key, op.score, op.member) end,
  stamp = function(op) redis.call('ZADD', op.key, 'XX', now, op.member) end,
  list = function(op)
    redis.call('ZADD', op.key, op.score, op.member)
    redis.call('ZREMRANGEBYRANK', op.key, 0, -1 - op.most)
    redis.call('PEXPIRE', op.key, op.keepMs)
  end,
  -- Wakes nobody: what is left is not due any sooner.
  leave = function(op)
    forgetNote(op.key, op.member)
    redis.call('ZREM', op.key, op.member)
  end,
  enqueue = function(op)
    local tag = fairTag(op, op.user)
    redis.call('ZADD', op.wait, tag, op.member)
    redis.call('ZADD', op.waiting, tag, op.member)
    redis.call('HSET', op.record, 'tag', tag)
  end,
  record = function(op) redis.call('HSET', op.key, 'rev', 1, flat(op.fields)) end,
  add = function(op) redis.call('SADD', op.key, op.member) end,
  put = function(op)
    if op.keepMs then redis.call('SET', op.key, op.value, 'PX', op.keepMs)
    else redis.call('SET', op.key, op.value, 'KEEPTTL') end
  end,
  keep = function(op)
    for _, key in ipairs(op.keys) do keepFor(key, op.ms) end
  end,
  drop = function(op)
    local done = op.key == record and redis.call('HGET', record, 'done')
    redis.call('DEL', op.key)
    if not done then return end
    redis.call('HSET', record, 'done', done)
    redis.call('PEXPIRE', record, ${DELETED_MS})
  end,
  tell = function(op) publish(op.what .. ' 0') end,
  note = function(op)
    local oldest = string.format('%.0f', math.max(0, now - op.keepMs))
    redis.call('XADD', op.key, 'MINID', oldest, '*', flat(op.fields))
    redis.call('PEXPIRE', op.key, op.keepMs)
  end,
}
`

/**
 * Lua. With `noeviction` a full Redis refuses every write, even one that ends a job, so the bot
 * refuses new records before Redis is full.
 */
const REFUSAL = `
local function hasRoom()
  local info = redis.pcall('INFO', 'memory')
  if type(info) ~= 'string' then info = '' end
  local function fact(name) return tonumber(string.match(info, '\\n' .. name .. ':(%d+)')) or 0 end
  local most = fact('maxmemory')
  if most == 0 then most = fact('total_system_memory') end
  return most == 0 or fact('used_memory') < most * ${NEARLY_FULL}
end
local function refusalOf(unless)
  for _, taken in ipairs(unless.taken) do
    local holder = redis.call('GET', taken.key)
    if holder and holder ~= taken.except then return {taken.answer, holder} end
  end
  if not unless.full then return end
  local count = 0
  for _, queue in ipairs(unless.full.queues) do
    -- Forgets entries that left the queue because somebody deleted their record by hand.
    local args = {queue.waiting, 2, queue.waiting, queue.wait, 'WEIGHTS', 1, 0}
    count = count + redis.call('ZINTERSTORE', unpack(args))
  end
  if count >= unless.full.most then return {'full', ''} end
  if not hasRoom() then return {'no_room', ''} end
end
`

const commitScript = script(
  z.tuple([z.string(), z.string()]),
  "record",
  "token writing",
  `${CARRY_OUT}${REFUSAL}
local change = cjson.decode(writing)
local rev, done = unpack(redis.call('HMGET', record, 'rev', 'done'))
done = done or ''
if string.find(done, token, 1, true) then return {'done', ''} end
if (rev or '') ~= change.rev then return {'stale', ''} end
local held = change.lease
if held and not holds(held.key, held.member, held.lease) then return {'lost', ''} end
local refusal = change.unless and refusalOf(change.unless)
if refusal then return refusal end
redis.call('HSET', record, 'rev', (tonumber(change.rev) or 0) + 1)
-- Which commits are done, the newest first: a repeated one must find itself although others have
-- written meanwhile, or have deleted the record, of which only this note stays.
redis.call('HSET', record, 'done', string.sub(token .. ' ' .. done, 1, ${DONE_CHARS}))
-- Ends the expiry of a deleted record's note.
if not rev then redis.call('PERSIST', record) end
if #change.set > 0 then redis.call('HSET', record, unpack(change.set)) end
if #change.unset > 0 then redis.call('HDEL', record, unpack(change.unset)) end
keepFor(record, change.keepMs)
for _, op in ipairs(change.ops) do carryOut[op['do']](op) end
wake()
return {'done', ''}
`,
)

/**
 * Writes a change in one script: after a crash of the bot either nothing or everything has
 * happened, and the same commit sent again answers "done". `stale`: another process has written
 * since, so the caller reads and decides again, which is safe because decisions have no effects.
 * `lost`: another worker holds the lease by now. Otherwise answers the reason of `unless`: an answer
 * of `taken` with the id that its key holds, `full` or `no_room`.
 */
export function commit(
  store: Store,
  { record, rev, set = {}, ops = [], unless, ...change }: Writing,
): Promise<[answer: string, holder: string]> {
  const token = randomBytes(TOKEN_BYTES).toString("base64url")
  const writing = {
    ...change,
    rev: rev ?? "",
    set: Object.entries(toHash(set)).flat(),
    unset: Object.keys(set).filter((name) => set[name] === undefined),
    ops,
    unless,
  }
  // Lua's JSON refuses a lone surrogate, with which a truncated text may end.
  const json = JSON.stringify(writing, (_, value) =>
    typeof value === "string" ? value.toWellFormed() : value,
  )
  const taken = unless?.taken.map(({ key }) => key) ?? []
  const queues = unless?.full?.queues.flatMap(({ wait, waiting }) => [wait, waiting]) ?? []
  const keys = [...new Set([...keysOf(ops), ...taken, ...queues])]
  return commitScript(store, { record }, { token, writing: json }, [], keys)
}

/**
 * Lists the keys that the ops name: Redis Cluster sends a script to the node that has its keys. The
 * script also touches what it derives from these, such as a schedule's `:again`, and the key of the
 * lease. The hash tag of all our keys puts them on the same node.
 */
function keysOf(ops: readonly Op[]): string[] {
  return ops.flatMap((op) => {
    if (op.do === "tell") return []
    if (op.do === "keep") return op.keys
    return op.do === "enqueue" ? [op.wait, op.waiting, op.last, op.creating, op.record] : [op.key]
  })
}
