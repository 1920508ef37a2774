import { isEnded, type Job } from "../jobs/job.ts"
import type { Prompt } from "../jobs/ports.ts"
import type { OutboxEntry } from "../jobs/worker-ports.ts"
import { defined } from "../runtime/defined.ts"
import { truncate } from "../text/truncate.ts"

/** Who asked for what, where and when, and what came of it. Outlives the job that it is about. */
export interface AuditEntry {
  job: string
  /** When it was asked, ms. */
  at: number
  /** Slack id of the requester; empty once that person asked to be forgotten. */
  user: string
  channel: string
  project: string
  /** The first words of the prompt; empty once forgotten. */
  words: string
  agentJob?: string
  ending?: string
  /** When it ended, ms. */
  endedAt?: number
  prLink?: string
}

export interface AuditStore {
  /** Writes what is known of a job by now. May be repeated; never brings back what was forgotten. */
  record(entry: AuditEntry): Promise<void>
  /** Oldest first, in chunks. */
  entries(): AsyncIterable<readonly AuditEntry[]>
  /** Puts entries together that have come to rest; true while there are more. */
  pack(): Promise<boolean>
}

/** An audit tells what was asked for, not every word of it. Code points. */
const WORDS = 500

export function entryOf(job: Job, prompt: Prompt | undefined): AuditEntry {
  const { user, channel, project, ending, endedAt, prLink } = job
  const words = truncate(prompt?.words ?? "", WORDS)
  return {
    ...defined({ user, channel, project, words, ending, endedAt, prLink }),
    ...defined({ job: job.id, at: job.askedAt, agentJob: job.agentJobId }),
  }
}

/** Takes a person out of what is kept, once they have confirmed it. */
export interface Forgetting {
  /** Notes that they are asked; returns an opaque id for the answer. An earlier question is void. */
  ask(user: string): Promise<string>
  /** True for one answer, by the person who was asked, in time. */
  answered(user: string, id: string): Promise<boolean>
  /** May be repeated. */
  forget(user: string): Promise<Forgotten>
}
/**
 * The audit's entry for what was just posted about a job; undefined where the audit has nothing
 * new. Every job is posted about when it is asked for and when it ends, and again if a process dies
 * before that is settled: so no entry is lost, and the scripts that change jobs need not write any.
 */
export function auditedBy({ job, prompt }: OutboxEntry): AuditEntry | undefined {
  return job.shown.rev === 0 || isEnded(job) ? entryOf(job, prompt) : undefined
}

export interface Forgotten {
  /** Requests that still waited and never will be sent. */
  cancelled: number
  /** Jobs that run or are being started: the service has their words, the store has not. */
  running: number
}
