import { z } from "zod"
import { endings, type Followed, type Job, type Prompt } from "../jobs/job.ts"
import { parseJson } from "../text/json.ts"

/** Grows when a stored job changes shape; a reader meets older versions after every upgrade. */
export const RECORD_VERSION = 1

const number = z.coerce.number()

/** A job as its Redis hash: short values only, so that Redis keeps the hash compact. */
const jobShape = z.object({
  v: z.literal(String(RECORD_VERSION)),
  id: z.string(),
  state: z.enum(["queued", "creating", "active", "ended"]),
  rev: number,
  project: z.string(),
  team: z.string(),
  channel: z.string(),
  user: z.string(),
  thread: z.string().optional(),
  at: number,
  tag: number,
  quiet: z.literal("1").optional(),
  note: z.string().optional(),
  asked: z.string().optional(),
  first: z.string().optional(),
  follows: z.string().optional(),
  agent: z.string().optional(),
  started: number.optional(),
  pr: z.string().optional(),
  misses: number.default(0),
  ending: z.enum(endings).optional(),
  ended: number.optional(),
  detail: z.string().optional(),
  card: z.string().optional(),
  shown: number.default(0),
  place: number.optional(),
  starts: number.optional(),
  paused: z.string().optional(),
  closing: z.string().optional(),
  round: number.default(1),
  unsure: number.default(0),
})

const jobRecord = jobShape.refine(
  (record) => record.state !== "ended" || record.ending !== undefined,
  { error: "an ended job needs its ending" },
)

/**
 * What a poll reads of it, as polls are by far the most frequent readers; with what it changes of it,
 * so that it leaves alone what another version wrote.
 */
const followedShape = jobShape.pick({
  v: true,
  state: true,
  rev: true,
  project: true,
  agent: true,
  started: true,
  pr: true,
  misses: true,
  follows: true,
})
export const FOLLOWED_FIELDS: readonly string[] = Object.keys(followedShape.shape)

export class RecordError extends Error {
  override name = "RecordError"
}

/** Hash → Job. @throws RecordError naming the field when the record is of no known version or broken. */
export function toJob(id: string, hash: Readonly<Record<string, string>>): Job {
  const r = read(jobRecord, id, { ...hash, id })
  return {
    id,
    state: r.state,
    rev: r.rev,
    project: r.project,
    team: r.team,
    channel: r.channel,
    user: r.user,
    askedAt: r.at,
    tag: r.tag,
    quiet: r.quiet !== undefined,
    misses: r.misses,
    round: r.round,
    unsure: r.unsure,
    shown: {
      rev: r.shown,
      ...(r.place === undefined ? {} : { place: r.place }),
      ...(r.starts === undefined ? {} : { startsAt: r.starts }),
      ...(r.paused === undefined ? {} : { paused: r.paused }),
    },
    ...optional({
      thread: r.thread,
      note: r.note,
      asked: r.asked,
      first: r.first,
      follows: r.follows,
      agentJobId: r.agent,
      startedAt: r.started,
      prLink: r.pr,
      ending: r.ending,
      endedAt: r.ended,
      detail: r.detail,
      card: r.card,
      closing: r.closing,
    }),
  }
}

/** Values of `FOLLOWED_FIELDS`, false where absent → what a poll needs. @throws RecordError */
export function toFollowed(id: string, values: readonly unknown[]): Followed {
  const hash: Record<string, unknown> = {}
  for (const [i, field] of FOLLOWED_FIELDS.entries())
    if (values[i] !== false) hash[field] = values[i]
  const { project, agent, started, pr, misses, follows } = read(followedShape, id, hash)
  return {
    id,
    project,
    misses,
    ...(agent === undefined ? {} : { agentJobId: agent }),
    ...(started === undefined ? {} : { startedAt: started }),
    ...(pr === undefined ? {} : { prLink: pr }),
    ...(follows === undefined ? {} : { follows }),
  }
}

function read<S extends z.ZodType>(schema: S, id: string, hash: object): z.output<S> {
  const parsed = schema.safeParse(hash)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new RecordError(
    `The stored job ${id} cannot be read: ${issue?.path.join(".")} ${issue?.message}. ` +
      "It was written by another version, or changed by hand.",
  )
}

/** Drops the absent ones: with exact optional types `undefined` is not "absent". */
function optional<T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>
  }
}

/** What Lua's HGETALL gives: names and values in turn. */
export const flatHash = z.array(z.string()).transform((flat) => {
  const hash: Record<string, string> = {}
  for (let i = 0; i + 1 < flat.length; i += 2) hash[flat[i] ?? ""] = flat[i + 1] ?? ""
  return hash
})

const promptRecord = z.object({
  v: z.literal(1),
  words: z.string(),
  context: z.string().optional(),
  origin: z.string().optional(),
  talk: z.object({ from: z.string().optional(), until: z.string() }).optional(),
})

export function fromPrompt(prompt: Prompt): string {
  return JSON.stringify({ v: 1, ...prompt })
}

/** @throws RecordError when the stored prompt is broken. */
export function toPrompt(id: string, text: string): Prompt {
  const parsed = promptRecord.safeParse(parseJson(text))
  if (!parsed.success) throw new RecordError(`The stored prompt of job ${id} cannot be read.`)
  const { words, context, origin, talk } = parsed.data
  return {
    words,
    ...(context === undefined ? {} : { context }),
    ...(origin === undefined ? {} : { origin }),
    ...(talk === undefined
      ? {}
      : { talk: { until: talk.until, ...(talk.from === undefined ? {} : { from: talk.from }) } }),
  }
}
