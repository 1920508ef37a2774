import type { Admission, Gate } from "../access/gate.ts"
import { truncate } from "../text/truncate.ts"
import type { Accepted, JobStore, NewJob } from "./ports.ts"

export type Submission =
  | Extract<Accepted, { outcome: "queued" | "full" }>
  /** Asked lately: the person may confirm the draft. */
  | { outcome: "duplicate"; id: string; draft: string }
  | { outcome: "refused"; entry: Extract<Admission, { allowed: false }> }

/**
 * `Asked by Ada in #docs.` for the end of the prompt. Slack names private channels and direct messages
 * by what they are; a channel whose name is not known is named by its id. Pure.
 */
function originLine(name: string, { channel, channelName }: NewJob): string {
  const who = truncate(name.replace(/[\s\p{Cc}]+/gu, " ").trim(), 80)
  if (channelName === "directmessage" || channel.startsWith("D"))
    return `Asked by ${who} in a direct message.`
  if (channelName === "privategroup") return `Asked by ${who} in a private channel.`
  return `Asked by ${who} in #${channelName ?? channel}.`
}

/** Accepts a request from any entry: who may, once per idempotency key, durable when it resolves. */
export async function submit(
  { gate, jobs, promptOrigin }: { gate: Gate; jobs: JobStore; promptOrigin: boolean },
  asked: NewJob,
): Promise<Submission> {
  const entry = await gate({ user: asked.user, channel: asked.channel })
  if (!entry.allowed) return { outcome: "refused", entry }
  const origin = promptOrigin ? { origin: originLine(entry.profile.name, asked) } : {}
  const request = { ...asked, prompt: { ...asked.prompt, ...origin } }
  const accepted = await jobs.enqueue(request)
  if (accepted.outcome !== "duplicate") return accepted
  const { idempotencyKey: _, anyway: __, ...draft } = request
  return { ...accepted, draft: await jobs.saveDraft(draft) }
}
