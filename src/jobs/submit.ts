import type { Profile } from "../access/rules.ts"
import { truncate } from "../text/truncate.ts"
import type { Accepted, JobStore, NewJob } from "./ports.ts"

export type Submission =
  | Extract<Accepted, { outcome: "queued" | "full" }>
  /** Asked lately: the person may confirm the draft. */
  | { outcome: "duplicate"; id: string; draft: string }

/**
 * `Asked by Ada in #docs.` for the end of the prompt. Slack names private channels and direct messages
 * by what they are. A mention does not say what its channel is called, and an id tells an agent nothing. Pure.
 */
function originLine(name: string, { channel, channelName }: NewJob): string {
  const who = truncate(name.replace(/[\s\p{Cc}]+/gu, " ").trim(), 80)
  if (channelName === "directmessage" || channel.startsWith("D"))
    return `Asked by ${who} in a direct message.`
  if (channelName === "privategroup") return `Asked by ${who} in a private channel.`
  return channelName ? `Asked by ${who} in #${channelName}.` : `Asked by ${who} in Slack.`
}

/**
 * Accepts a request from any entry: once per idempotency key, durable when it resolves.
 * @param requester as the gate let them in
 */
export async function submit(
  { jobs, promptOrigin }: { jobs: JobStore; promptOrigin: boolean },
  asked: NewJob,
  requester: Profile,
): Promise<Submission> {
  const origin = promptOrigin ? { origin: originLine(requester.name, asked) } : {}
  const request = { ...asked, prompt: { ...asked.prompt, ...origin } }
  const accepted = await jobs.enqueue(request)
  if (accepted.outcome !== "duplicate") return accepted
  const { idempotencyKey: _, anyway: __, ...draft } = request
  return { ...accepted, draft: await jobs.saveDraft(draft) }
}
