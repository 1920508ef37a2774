import { randomBytes, randomUUID } from "node:crypto"
import { z } from "zod"
import { CSV_HEAD } from "../../visitors/csv.ts"
import type { ClaimedExport, CsvExports, Recipient } from "../../visitors/export-ports.ts"
import { ignoreBroken, readable, typed } from "../broken.ts"
import { untilFirst } from "../clock.ts"
import { called, type NamedStoreOptions, SAME_NAMES, stored } from "../projects/names.ts"
import { RecordError, recordCodec } from "../record.ts"
import type { RedisClient } from "../script.ts"
import { visitorsKeys as keys } from "../visitors-keys.ts"
import { questionKey, requestFields, toExport } from "./csv-export-record.ts"
import {
  appendPage,
  claimExport,
  finishExport,
  openExport,
  releaseExport,
  serveRecipient,
} from "./csv-exports.lua.ts"

/** The longest export takes forty hours of requests; an abandoned one is forgotten after this. */
const KEEP_MS = 4 * 24 * 3_600_000
/** Before another look at an export that is done and still has somebody waiting for it, ms. */
const LATECOMER_MS = 2_000

const recipientCodec = recordCodec<Recipient>(
  1,
  z.object({ user: z.string(), channel: z.string(), ts: z.string() }),
)

export function createCsvExports(
  redis: RedisClient,
  { names = SAME_NAMES, onBroken = ignoreBroken, now }: NamedStoreOptions = {},
): CsvExports {
  const on = { redis, now }
  const due = keys.exportsDue
  const own = (id: string) => ({
    key: keys.export(id),
    seen: keys.exportSeen(id),
    chunks: keys.exportChunks(id),
    to: keys.exportRecipients(id),
    due,
  })

  async function release({ export: csv, lease }: ClaimedExport, afterMs: number, outcome: string) {
    await releaseExport(on, own(csv.id), { id: csv.id, lease, afterMs, outcome })
  }

  return {
    async open(asked, recipient) {
      const request = stored(await names(), asked)
      const args = {
        id: randomBytes(9).toString("base64url"),
        prefix: keys.export(""),
        user: recipient.user,
        recipient: recipientCodec.write(recipient),
        head: CSV_HEAD,
        keepMs: KEEP_MS,
      }
      const of = keys.exportOf(questionKey(request))
      const fields = Object.entries(requestFields(request)).flat()
      const [id, joined] = await openExport(on, { of, due }, args, fields)
      return { id, joined: joined === 1 }
    },

    async claim(leaseMs) {
      // Before the claim: what cannot be named must not be leased for nothing.
      const known = await names()
      const lease = randomUUID()
      const args = { lease, leaseMs, prefix: keys.export("") }
      const [id, hash] = await claimExport(on, { due }, args)
      if (id === undefined || hash === undefined) return undefined
      const csv = readable(keys.export(id), () => called(known, toExport(id, hash)), onBroken)
      return csv && { export: csv, lease }
    },

    async nextDue() {
      return untilFirst(redis, due, now)
    },

    async append({ export: csv, lease }, { lines, ...page }) {
      const { id, offset } = csv
      const known = await names()
      const flat = lines.flatMap(({ key, text }) => [key, text])
      const [fresh, hash] = await appendPage(on, own(id), { id, lease, offset, ...page }, flat)
      if (fresh === undefined || hash === undefined) return undefined
      // Changed by hand since it was claimed: it is told of, and nobody's to go on with.
      const read = readable(keys.export(id), () => called(known, toExport(id, hash)), onBroken)
      return read && { fresh, claimed: { export: read, lease } }
    },

    close: (claimed, end) => release(claimed, 0, end),
    park: (claimed, afterMs, failed) => release(claimed, afterMs, failed ? "failed" : ""),

    async recipients(id) {
      const key = keys.exportRecipients(id)
      const texts = (await typed(key, redis.hvals(key), onBroken)) ?? []
      const read = texts.map((text) => recipientCodec.read(text))
      if (read.includes(undefined))
        onBroken(key, new RecordError(`A recipient of the export ${id} cannot be read.`))
      return read.filter((recipient) => recipient !== undefined)
    },

    async mayShow({ export: csv }, gapMs) {
      return (await redis.set(keys.exportShown(csv.id), "1", "PX", gapMs, "NX")) === "OK"
    },

    async served({ export: csv, lease }, user) {
      await serveRecipient(on, own(csv.id), { lease, user })
    },

    async finish({ export: csv, lease }) {
      const of = keys.exportOf(questionKey(stored(await names(), csv)))
      const from = { ...own(csv.id), of }
      await finishExport(on, from, { id: csv.id, lease, afterMs: LATECOMER_MS })
    },

    async *content(id) {
      const chunks = keys.exportChunks(id)
      const length = await redis.llen(chunks)
      for (let i = 0; i < length; i++) {
        const chunk = await redis.lindex(chunks, i)
        if (chunk === null) throw new RecordError(`The export ${id} was removed while it was sent`)
        yield chunk
      }
    },
  }
}
