import { isEnded, type Job } from "../jobs/job.ts"
import { actOnJob, type JobAction, type JobActionResult } from "../jobs/job-actions.ts"
import { overviewOf } from "../jobs/overview.ts"
import type { NewJob } from "../jobs/ports.ts"
import { submit } from "../jobs/submit.ts"
import { quoteEarlierWork } from "../jobs/talk.ts"
import type { Message } from "../slack/message.ts"
import { toPlainText, withoutMention } from "../text/plain-text.ts"
import { line } from "../views/blocks.ts"
import { jobActionMessage } from "../views/job-action.ts"
import { helpMessage, statusMessage } from "../views/overview.ts"
import { safeUrl } from "../views/pull-request.ts"
import {
  blankMessage,
  refusedMessage,
  tooLongMessage,
  unknownProjectMessage,
} from "../views/submission.ts"
import type { AgentDeps } from "./deps.ts"
import { submissionMessage } from "./docs-agent.ts"
import { namesIn } from "./names.ts"
import type { MessageEvent } from "./payloads.ts"
import { projectFor, projectNames } from "./project.ts"
import { isBlank, PROMPT_MAX, readMention, readVerbs, type Words } from "./words.ts"

/**
 * `@bot …` in a channel or thread, or a direct message. Everything is answered in the thread: a job
 * by its card, all else privately.
 */
export async function mention(deps: AgentDeps, event: MessageEvent, team: string): Promise<void> {
  const user = event.user
  // Other apps' mentions would make two bots talk to each other for ever, our own would one.
  if (!user || event.bot_id || !isAsked(event)) return
  // Without its own name the bot would take "@bot status" for a prompt: then Slack has to come again.
  const bot = await deps.botUser()
  if (user === bot) return
  const root = event.thread_ts ?? event.ts
  const answer = (message: Message) =>
    deps.outbound.whisper({ channel: event.channel, thread: event.thread_ts, user }, message)
  const latest = event.thread_ts ? await deps.jobs.inThread(event.channel, root) : undefined
  const words = await wordsOf(deps, event, bot, latest !== undefined)
  if (words.kind === "help") return answer(helpMessage())
  if (words.kind === "too_long") return answer(tooLongMessage(words.length, PROMPT_MAX))
  const entry = await deps.gate({ user, channel: event.channel })
  if (!entry.allowed) return answer(refusedMessage(entry.refusal, user, [...deps.rules.admins]))
  if (words.kind === "blank") return answer(blankMessage())
  if (words.kind !== "prompt") {
    const message = await verb(deps, words, latest, user, { channel: event.channel, root })
    return message ? answer(message) : undefined
  }
  const { choice, words: asked } = await projectFor(deps, event.channel, words.words)
  if ("unknown" in choice) return answer(unknownProjectMessage(choice.unknown, projectNames(deps)))
  if (isBlank(asked)) return answer(blankMessage())
  // A follow-up stays with its thread's project unless another one is named.
  const project = asked === words.words && latest ? latest.project : choice.project
  const request = await requestOf(deps, event, { team, user, words: asked, project }, latest)
  const submission = await submit(deps, request)
  // The card is the answer to an accepted one.
  if (submission.outcome === "queued") return
  return answer(await submissionMessage(deps, request, submission))
}

/** Edits, joins and the like arrive as messages too; only what a person posts is a question. */
function isAsked({ subtype }: MessageEvent): boolean {
  return subtype === undefined || subtype === "file_share" || subtype === "thread_broadcast"
}

async function wordsOf(
  deps: AgentDeps,
  event: MessageEvent,
  bot: string,
  hasJob: boolean,
): Promise<Words> {
  const text = withoutMention(event.text, bot)
  const plain = toPlainText(text, await namesIn(text, deps.profileOf))
  return hasJob ? readVerbs(plain) : readMention(plain)
}

async function requestOf(
  deps: AgentDeps,
  event: MessageEvent,
  { team, user, words, project }: Pick<NewJob, "team" | "user" | "project"> & { words: string },
  latest: Job | undefined,
): Promise<NewJob> {
  const root = event.thread_ts ?? event.ts
  const first = latest?.first ?? latest?.id
  // Where the service takes messages, it knows the earlier work itself.
  const follows =
    deps.hasMessages && latest?.project === project && isEnded(latest)
      ? latest.agentJobId
      : undefined
  const earlier = latest && first && !follows ? await earlierWork(deps, latest, first) : undefined
  const talk = event.thread_ts
    ? { until: event.ts, ...(latest?.asked ? { from: latest.asked } : {}) }
    : undefined
  return {
    project,
    team,
    channel: event.channel,
    user,
    thread: root,
    asked: event.ts,
    first,
    follows,
    quiet: await deps.jobs.isQuiet(event.channel, root),
    prompt: { words, ...(earlier ? { context: earlier } : {}), ...(talk ? { talk } : {}) },
    // Not the event id: one message can be delivered under two of them.
    idempotencyKey: `message:${event.channel}:${event.ts}`,
    via: event.event_id,
  }
}

/** @param first id of the first job of the thread, which has the link when no later one reported its own */
async function earlierWork({ jobs }: AgentDeps, latest: Job, first: string): Promise<string> {
  const words = (await jobs.prompt(first))?.words
  const prLink = latest.prLink ?? (await jobs.get(first))?.prLink
  return quoteEarlierWork(words, safeUrl(prLink))
}

const WITHOUT_JOB =
  "There is no job in this thread yet. Mention me with what should change in the docs."

async function verb(
  deps: AgentDeps,
  words: Exclude<Words, { kind: "prompt" | "blank" | "too_long" }>,
  job: Job | undefined,
  user: string,
  place: { channel: string; root: string },
): Promise<Message | undefined> {
  if (words.kind === "status")
    return statusMessage(await overviewOf({ ...deps, projects: projectNames(deps) }, user, 10))
  if (!job) return line(WITHOUT_JOB)
  if (words.kind === "quiet") {
    await deps.jobs.setQuiet(place.channel, place.root)
    return line("Quiet from now on: in this thread only the ending is posted.")
  }
  if (words.kind === "cancel") return cancel(deps, words.id ?? job.id, job, user)
  const what: JobAction = isEnded(job) && job.ending === "unknown" ? "run_again" : "try_again"
  return answerTo(what, await actOnJob(deps, what, job.id, user))
}

/** A waiting job is cancelled; of a running one only the following can end. */
async function cancel(deps: AgentDeps, id: string, job: Job, user: string): Promise<Message> {
  const result = await actOnJob(deps, "cancel", id, user)
  if (result.result === "not_now" && result.job.state === "active")
    return line(
      "The docs agent is already at work, and the documentation service has no way to cancel a job. *Stop following* on the card ends the notices.",
    )
  return (
    answerTo("cancel", result) ??
    line(`Cancelled${id === job.id ? "" : ` \`${id}\``}. No job was spent.`)
  )
}

function answerTo(what: JobAction, result: JobActionResult): Message | undefined {
  return jobActionMessage(what, result)
}
