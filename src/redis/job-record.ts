import { z } from "zod"
import { endings, type Followed, type Job, previewStates, pullStates } from "../jobs/job.ts"
import { defined } from "../runtime/defined.ts"
import { parseJson } from "../text/json.ts"
import { RecordError } from "./record.ts"

/** Grows when a stored job changes shape; a reader meets older versions after every upgrade. */
export const RECORD_VERSION = 1

const number = z.coerce.number()

const files = z.object({ added: z.number(), modified: z.number(), removed: z.number() })
const previewText = z
  .string()
  .transform(parseJson)
  .pipe(
    z.object({
      state: z.enum(previewStates),
      by: z.string(),
      at: z.number(),
      statusId: z.string().optional(),
      url: z.string().optional(),
      files: files.optional(),
      summary: z.string().optional(),
      isInLine: z.boolean().optional(),
    }),
  )

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
  thread: z.string().exactOptional(),
  at: number,
  tag: number,
  quiet: z.literal("1").exactOptional(),
  note: z.string().exactOptional(),
  asked: z.string().exactOptional(),
  first: z.string().exactOptional(),
  previous: z.string().exactOptional(),
  follows: z.string().exactOptional(),
  hadPull: z.literal("1").exactOptional(),
  retry: z.literal("1").exactOptional(),
  turned: z.literal("1").exactOptional(),
  agent: z.string().exactOptional(),
  started: number.exactOptional(),
  pr: z.string().exactOptional(),
  misses: number.default(0),
  ending: z.enum(endings).exactOptional(),
  ended: number.exactOptional(),
  detail: z.string().exactOptional(),
  card: z.string().exactOptional(),
  shown: number.default(0),
  place: number.exactOptional(),
  starts: number.exactOptional(),
  paused: z.string().exactOptional(),
  tried: number.exactOptional(),
  closing: z.string().exactOptional(),
  branch: z.string().exactOptional(),
  preview: previewText.exactOptional(),
  pull: z.string().exactOptional(),
  pullState: z.enum(pullStates).exactOptional(),
  pullBy: z.string().exactOptional(),
  later: number.default(0),
  laterShown: number.default(0),
  reminder: z.string().exactOptional(),
  round: number.default(1),
  audited: number.exactOptional(),
  unsure: number.default(0),
  failures: number.default(0),
  forgotten: z.literal("1").exactOptional(),
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
  turned: true,
})
export const FOLLOWED_FIELDS: readonly string[] = Object.keys(followedShape.shape)

/** Hash → Job. @throws RecordError naming the field when the record is of no known version or broken. */
export function toJob(id: string, hash: Readonly<Record<string, string>>): Job {
  const {
    v: _,
    shown,
    place,
    starts,
    paused,
    tried,
    ...stored
  } = read(jobRecord, id, { ...hash, id })
  const {
    at,
    quiet,
    hadPull,
    retry,
    turned,
    forgotten,
    agent,
    started,
    pr,
    ended,
    later,
    laterShown,
    ...rest
  } = stored
  return {
    ...rest,
    askedAt: at,
    quiet: quiet !== undefined,
    later: { rev: later, shown: laterShown },
    shown: defined({ rev: shown, place, startsAt: starts, paused, triedAt: tried }),
    ...(hadPull ? { hadPull: true } : {}),
    ...(retry ? { isRetry: true } : {}),
    ...(turned ? { isReactivated: true } : {}),
    ...(forgotten ? { isForgotten: true } : {}),
    ...defined({ agentJobId: agent, startedAt: started, prLink: pr, endedAt: ended }),
  }
}

/** Values of `FOLLOWED_FIELDS`, false where absent → what a poll needs. @throws RecordError */
export function toFollowed(id: string, values: readonly unknown[]): Followed {
  const hash: Record<string, unknown> = {}
  for (const [i, field] of FOLLOWED_FIELDS.entries())
    if (values[i] !== false) hash[field] = values[i]
  const { project, agent, started, pr, misses, follows, turned } = read(followedShape, id, hash)
  return {
    id,
    project,
    misses,
    ...(turned ? { isReactivated: true } : {}),
    ...defined({ agentJobId: agent, startedAt: started, prLink: pr, follows }),
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
