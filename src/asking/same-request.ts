import { createHash } from "node:crypto"
import type { Context } from "../jobs/context.ts"
import { jobKeys } from "../jobs/job-keys.ts"
import type { Found } from "../jobs/job-store.ts"
import { type Draft, typedWords } from "../jobs/request-record.ts"
import { standingAsks } from "../jobs/rounds.ts"
import type { Op, Unless } from "../store/commit.ts"

/** Time in ms within which a person's identical request makes the bot ask first. */
const SAME_MS = 15 * 60_000

type Compared = Pick<Draft, "project" | "user" | "prompt">

/** Hashes what a request asks for. Case, spacing and Unicode form do not matter. */
export function hashOfRequest({ project, user, prompt: { words, files = [] } }: Compared): string {
  return createHash("sha256")
    .update(JSON.stringify([project, user, normalOf(words), ...files.map(({ id }) => id)]))
    .digest("base64url")
}

function normalOf(words: string): string {
  const formed = words.normalize("NFKC").toLowerCase()
  return formed.replace(/\s\s+|[^\S ]/g, " ").trim()
}

/** Remembers a request of this job as the person's latest of its kind. */
export function noteSame(request: Compared, job: string, ask: string): Op {
  const key = jobKeys.same(hashOfRequest(request))
  return { do: "put", key, value: `${job} ${ask}`, keepMs: SAME_MS }
}

/** Returns the reason not to store an identical request; its answer is the note of the earlier one. */
export function unlessSame(request: Compared, except?: string): Unless["taken"] {
  return [{ key: jobKeys.same(hashOfRequest(request)), answer: "same", except }]
}

/** Resolves to the id of the noted request's job, as `jobHolding`, unless an edit replaced its words. */
export async function jobOfSame(
  context: Pick<Context, "jobs">,
  { prompt }: Compared,
  note: string,
): Promise<string | undefined> {
  const [id = "", ask = ""] = note.split(" ")
  const noted = (await context.jobs.promptsOf([{ id: ask }]))[ask]
  const isReplaced = noted && normalOf(typedWords(noted)) !== normalOf(prompt.words)
  return isReplaced ? undefined : jobHolding(context, id, ask)
}

/**
 * Resolves to the id of a request's job if the bot sent or will send the request; a cancelled one
 * may be sent again. @param id the job that it was stored in at first
 */
export async function jobHolding(
  { jobs }: Pick<Context, "jobs">,
  id: string,
  ask: string,
): Promise<string | undefined> {
  const holds = ({ job }: Pick<Found, "job">) => standingAsks(job).some((one) => one.id === ask)
  const found = await jobs.find(id)
  if (!found || holds(found)) return found?.job.id
  // It may have moved to another job of its thread.
  const { channel, thread, card = "" } = found.job
  return (await jobs.inThread(channel, thread ?? card)).find(holds)?.job.id
}
