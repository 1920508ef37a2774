import type { Pause } from "../jobs/ports.ts"
import type { Message } from "../ports/message.ts"
import { actions, plain, section } from "./blocks.ts"
import { resumeButton } from "./job-buttons.ts"
import { foreignLine } from "./mrkdwn.ts"

/** What to do about a pause that waits for a person. */
export function adminNotice(project: string, { reason }: Pause): Message {
  const name = foreignLine(project, 60)
  const text = `:warning: *The documentation service ${WHAT[reason] ?? "isn't accepting jobs"}* (project ${name}). The queue is paused and nothing is lost.\n${NEXT[reason] ?? ""}`
  return { text: plain(text), blocks: [section(text), ...actions([resumeButton(project)])] }
}

/** The same in one line for whoever runs the bot, where no admin is configured who could resume. */
export function operatorNotice(project: string, { reason }: Pause): string {
  const what = `The documentation service ${WHAT[reason] ?? "isn't accepting jobs"} (project ${project}).`
  return `${what} The queue is paused and nothing is lost. ${NEXT[reason] ?? ""} Resume is a button for admins: set ADMIN_USERS to have one.`
}

const WHAT: Partial<Record<Pause["reason"], string>> = {
  key_refused: "rejected the API key (401)",
  forbidden: "doesn't let this API key start jobs (403)",
}

const NEXT: Partial<Record<Pause["reason"], string>> = {
  key_refused:
    "Keys expire, often after 90 days. Create a new admin key on the API keys page of the dashboard, set it as `DOCS_API_KEY`, restart the bot, then press Resume.",
  forbidden:
    "On the API keys page, check that it's an admin key of this project and that no IP list blocks the bot's address. Then press Resume.",
}
