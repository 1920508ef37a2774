import { z } from "zod"
import { script } from "../script.ts"

/** Writes a subscription; one for the same channel and rhythm is replaced, whoever holds it. */
export const saveDigest = script(
  z.number(),
  "key due",
  "id record dueAt",
  `
redis.call('DEL', key)
redis.call('HSET', key, 'record', record)
return redis.call('ZADD', due, dueAt, id)
`,
)

/** Gives the record and forgets it. */
export const removeDigest = script(
  z.union([z.tuple([z.string()]), z.tuple([])]),
  "key due",
  "id",
  `
local record = redis.pcall('HGET', key, 'record')
redis.call('DEL', key)
redis.call('ZREM', due, id)
if type(record) == 'string' then return {record} end
return {}
`,
)
