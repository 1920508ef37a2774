import { z } from "zod"
import { flatHash } from "../replies.ts"
import { FIELDS, RECORD, TEXT } from "../safe-reads.lua.ts"
import { script } from "../script.ts"

/**
 * Begins an export, or joins the one for the same question. Further arguments: fields of the
 * record, name and value in turn.
 */
export const openExport = script(
  z.tuple([z.string(), z.number()]),
  "of due",
  "id prefix user recipient head keepMs",
  `${TEXT}
local running = text(of)
local joined = running and redis.call('TYPE', prefix .. running).ok == 'hash'
if joined then id = running end
local key = prefix .. id
if not joined then
  local fields = {'state', 'reading', 'at', now, 'bytes', #head}
  for i = rest, #ARGV do fields[#fields + 1] = ARGV[i] end
  redis.call('HSET', key, unpack(fields))
  redis.call('RPUSH', key .. ':chunks', head)
  redis.call('SET', of, id, 'PX', keepMs)
  redis.call('ZADD', due, now, id)
end
redis.call('HSET', key .. ':to', user, recipient)
for _, suffix in ipairs({'', ':chunks', ':to'}) do redis.call('PEXPIRE', key .. suffix, keepMs) end
return {id, joined and 1 or 0}
`,
)

/**
 * Leases the export that has been due longest. A record that is gone leaves the list; one whose file is
 * none is a record that no version reads.
 */
export const claimExport = script(
  z.union([z.tuple([z.string(), flatHash]), z.tuple([])]),
  "due",
  "lease leaseMs prefix",
  `${RECORD}
for _, id in ipairs(redis.call('ZRANGEBYSCORE', due, '-inf', now, 'LIMIT', 0, 20)) do
  local key = prefix .. id
  if redis.call('EXISTS', key) == 0 then
    redis.call('ZREM', due, id)
  else
    redis.call('ZADD', due, now + tonumber(leaseMs), id)
    local chunks = redis.call('TYPE', key .. ':chunks').ok
    local seen = redis.call('TYPE', key .. ':seen').ok
    if chunks ~= 'list' or (seen ~= 'set' and seen ~= 'none') then
      return {id, {'v', 'none: its file is not what the bot writes'}}
    end
    redis.pcall('HSET', key, 'lease', lease)
    return {id, record(key)}
  end
end
return {}
`,
)

/**
 * Adds one page to the file: the lines (key and text in turn, the further arguments) whose key was not seen
 * before. A page that is not the next one was added before and changes nothing. Gives the record,
 * and how many lines were new; nothing when the lease is lost.
 */
export const appendPage = script(
  z.union([z.tuple([z.number(), flatHash]), z.tuple([])]),
  "key seen chunks due",
  "id lease offset nextOffset repeats leaseMs",
  `${FIELDS}
local record = fields(key, 'lease', 'offset')
if record[1] ~= lease or (record[2] or '0') ~= offset then return {} end
local fresh, again, rows, texts, ids, new = 0, tonumber(repeats), 0, {}, {}, {}
for i = rest, #ARGV, 2 do ids[#ids + 1] = ARGV[i] end
local known = #ids > 0 and redis.call('SMISMEMBER', seen, unpack(ids)) or {}
local here = {}
for i, rowKey in ipairs(ids) do
  if known[i] == 1 or here[rowKey] then
    again = again + 1
  else
    here[rowKey] = true
    fresh = fresh + 1
    new[fresh] = rowKey
    local text = ARGV[rest - 1 + i * 2]
    if text ~= '' then
      rows = rows + 1
      texts[rows] = text
    end
  end
end
if fresh > 0 then redis.call('SADD', seen, unpack(new)) end
-- A page of nothing but repeats is how a read ends that goes in circles, not rows that moved.
if fresh == 0 then again = 0 end
local chunk = table.concat(texts)
if chunk ~= '' then redis.call('RPUSH', chunks, chunk) end
redis.call('HINCRBY', key, 'rows', rows)
redis.call('HINCRBY', key, 'bytes', #chunk)
redis.call('HINCRBY', key, 'repeats', again)
redis.call('HINCRBY', key, 'pages', 1)
redis.call('HSET', key, 'offset', nextOffset, 'failures', 0)
local ttl = redis.call('PTTL', key)
redis.call('PEXPIRE', seen, ttl)
redis.call('PEXPIRE', chunks, ttl)
redis.call('ZADD', due, 'XX', now + tonumber(leaseMs), id)
return {fresh, redis.call('HGETALL', key)}
`,
)

/** Lets go until later, perhaps with its end or one more failure. 0 when the lease is lost. */
export const releaseExport = script(
  z.number(),
  "key due",
  "id lease afterMs outcome",
  `${FIELDS}
if fields(key, 'lease')[1] ~= lease then return 0 end
redis.call('HDEL', key, 'lease')
redis.call('ZADD', due, now + tonumber(afterMs), id)
if outcome == 'failed' then
  redis.call('HINCRBY', key, 'failures', 1)
elseif outcome ~= '' then
  redis.call('HSET', key, 'state', 'sending', 'end', outcome, 'failures', 0)
end
return 1
`,
)

/** One recipient less. */
export const serveRecipient = script(
  z.number(),
  "key to",
  "lease user",
  `${FIELDS}
if fields(key, 'lease')[1] ~= lease then return 0 end
local served = redis.pcall('HDEL', to, user)
return wrongType(served) and 0 or served
`,
)

/** Forgets the export. Somebody who joined at the last moment keeps it, and it is due soon. */
export const finishExport = script(
  z.number(),
  "key to chunks seen of due",
  "id lease afterMs",
  `${FIELDS}${TEXT}
if fields(key, 'lease')[1] ~= lease then return 0 end
local left = redis.pcall('HLEN', to)
if not wrongType(left) and left > 0 then
  redis.call('HDEL', key, 'lease')
  redis.call('ZADD', due, now + tonumber(afterMs), id)
  return 0
end
redis.call('DEL', key, to, chunks, seen)
if text(of) == id then redis.call('DEL', of) end
redis.call('ZREM', due, id)
return 1
`,
)
