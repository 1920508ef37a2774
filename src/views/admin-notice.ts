import type { Pause } from "../jobs/ports.ts"
import type { Message } from "../ports/message.ts"
import { actions, plain, section } from "./blocks.ts"
import { resumeButton } from "./job-buttons.ts"
import { foreignLine } from "./mrkdwn.ts"

/** What to do about a pause that waits for a person. */
export function adminNotice(project: string, { reason }: Pause): Message {
  const name = foreignLine(project, 60)
  const text = `:warning: *The documentation service ${WHAT[reason] ?? "does not take jobs"}* (project ${name}). The queue is paused; nothing is lost.\n${NEXT[reason] ?? ""}`
  return { text: plain(text), blocks: [section(text), ...actions([resumeButton(project)])] }
}

/** The same in one line for whoever runs the bot, where no admin is configured who could resume. */
export function operatorNotice(project: string, { reason }: Pause): string {
  const what = `The documentation service ${WHAT[reason] ?? "does not take jobs"} (project ${project}).`
  return `${what} The queue is paused; nothing is lost. ${NEXT[reason] ?? ""} Resume is a button for admins: set ADMIN_USERS to have one.`
}

const WHAT: Partial<Record<Pause["reason"], string>> = {
  key_refused: "refuses the bot's API key (401)",
  forbidden: "does not allow the bot's API key to start jobs (403)",
}

const NEXT: Partial<Record<Pause["reason"], string>> = {
  key_refused:
    "Keys expire, commonly after 90 days. Make a new admin key on the API keys page of the dashboard, set it as `DOCS_API_KEY`, restart the bot, then press Resume.",
  forbidden:
    "Check on the API keys page that the key is an admin key of this project, and that no IP list keeps the bot's address out. Then press Resume.",
}
