import { isEnded, type Job } from "../jobs/job.ts"
import type { Prompt } from "../jobs/ports.ts"
import { defined } from "../runtime/defined.ts"
import { truncate } from "../text/truncate.ts"

/** Says who asked for what, where and when, and what came of it. Outlives the job that it is about. */
export interface AuditEntry {
  job: string
  /** When it was asked, ms. */
  at: number
  /** Slack id of the requester. */
  user: string
  channel: string
  project: string
  /** The first words of the prompt. */
  words: string
  agentJob?: string
  ending?: string
  /** When it ended, ms. */
  endedAt?: number
  prLink?: string
}

/** One of the two notes that make an entry, by names and values: a job was asked for, or it ended. */
type AuditNote = Readonly<Record<string, string | number>>

export interface AuditStore {
  /** Newest first, in chunks. */
  entries(): AsyncIterable<readonly AuditEntry[]>
  /** Deletes notes that are older than the audit is kept. */
  trim(): Promise<void>
}

/** The audit quotes the beginning of a prompt, code points. */
const WORDS = 500

/**
 * Lists what the audit does not know yet about a job, oldest first, and the mark that says afterwards that it
 * does. Only what a person wrote and who they are stands in the first note, so that forgetting deletes no other.
 */
export function auditNotes(job: Job, prompt: Prompt | undefined) {
  const notes: AuditNote[] = []
  const { id, user, channel, project, askedAt, agentJobId, ending, endedAt, prLink } = job
  if (job.audited === undefined) {
    const words = truncate(prompt?.words ?? "", WORDS)
    notes.push({ job: id, at: askedAt, user, channel, project, words })
  }
  const isNews = isEnded(job) && (job.audited ?? 0) < job.round
  if (isNews) notes.push({ job: id, ...defined({ ending, endedAt, agentJob: agentJobId, prLink }) })
  return { notes, mark: isNews ? job.round : 0 }
}

/** Takes a person out of what is kept, once they have confirmed it. */
export interface Forgetting {
  /** Notes that they are asked; returns an opaque id for the answer. An earlier question is void. */
  ask(user: string): Promise<string>
  /** Returns true for one answer, by the person who was asked, in time. */
  answered(user: string, id: string): Promise<boolean>
  /** May be repeated. */
  forget(user: string): Promise<Forgotten>
}

export interface Forgotten {
  /** Requests that still waited and never will be sent. */
  cancelled: number
  /** Jobs that run or are being started: the service has their words, the store has not. */
  running: number
}
