import type { Trouble } from "../jobs/admin-notices.ts"
import type { PullRef } from "../ports/github.ts"
import type { Message } from "../ports/message.ts"
import { actions, line, plain, section } from "./blocks.ts"
import { resumeButton } from "./job-buttons.ts"
import { foreignLine } from "./mrkdwn.ts"

/** What to do about something that waits for a person. */
export function adminNotice({ project, kind }: Trouble): Message {
  const { what, effect, next } = WORDS[kind] ?? OTHER
  const name = foreignLine(project, 60)
  const text = `:warning: *${what}* (project ${name}). ${effect}\n${next}`
  const buttons = kind === "job_path" ? [] : [resumeButton(project)]
  return { text: plain(text), blocks: [section(text), ...actions(buttons)] }
}

/** The same in one line for the operator, where no admin is configured who could resume. */
export function operatorNotice({ project, kind }: Trouble): string {
  const { what, effect, next } = WORDS[kind] ?? OTHER
  const resume =
    kind === "job_path" ? "" : " Resume is a button for admins: set ADMIN_USERS to have one."
  return `${what} (project ${project}). ${effect} ${next}${resume}`
}

/** What to do about a pause, for an admin; nothing where it ends by itself. */
export function remedyFor(reason: string): string {
  return Object.entries(WORDS).find(([kind]) => kind === reason)?.[1].next ?? ""
}

/** To admins, once: cards no longer follow pull requests, and what to do about it. */
export function gitHubRefused(what: "token" | "repository", { owner, repo }: PullRef): Message {
  return what === "token"
    ? line(
        ":warning: *GitHub rejected the token.* Cards no longer show what happens to pull requests; links still work. Set a new `GITHUB_TOKEN` and restart me.",
      )
    : line(
        `:warning: *The GitHub token can't read ${foreignLine(`${owner}/${repo}`, 150)}.* Cards don't show what happens to its pull requests; links still work. Give the token read access to pull requests there.`,
      )
}

interface Words {
  what: string
  effect: string
  next: string
}

const PAUSED = "The queue is paused and nothing is lost."

const OTHER: Words = {
  what: "The documentation service isn't accepting jobs",
  effect: PAUSED,
  next: "",
}

const WORDS: Partial<Record<Trouble["kind"], Words>> = {
  key_refused: {
    what: "The documentation service rejected the API key (401)",
    effect: PAUSED,
    next: "Keys expire, often after 90 days. Create a new admin key on the API keys page of the dashboard, set it as `DOCS_API_KEY` and restart the bot: the queue then resumes by itself.",
  },
  forbidden: {
    what: "The documentation service doesn't let this API key start jobs (403)",
    effect: PAUSED,
    next: "On the API keys page, check that it's an admin key of this project and that no IP list blocks the bot's address. Then press Resume, or restart the bot with another key.",
  },
  job_path: {
    what: "The documentation service can't find the jobs it started (404)",
    effect: "They may be running, but I can't see how they end.",
    next: "Check `DOCS_JOB_PATH`: it must be the path of the service's get-agent-job operation. Correct it and restart the bot. Jobs that are still running are followed from then on.",
  },
}
