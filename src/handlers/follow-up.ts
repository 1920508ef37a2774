import type { Profile } from "../access/rules.ts"
import { quoteEarlierWork, readEarlierWork } from "../jobs/earlier-work.ts"
import { isEnded, type Job, takesMessages } from "../jobs/job.ts"
import type { NewJob } from "../jobs/ports.ts"
import { projectFor, projectNames } from "../jobs/project-choice.ts"
import { submit } from "../jobs/submit.ts"
import { quoteForwarded } from "../jobs/talk.ts"
import type { FileFacts } from "../ports/files.ts"
import type { Message } from "../ports/message.ts"
import { safeUrl } from "../views/pull-request.ts"
import { blankMessage, unknownProjectMessage } from "../views/request-messages.ts"
import type { AgentDeps } from "./deps.ts"
import { isBlank, type ThreadWords } from "./parse-command.ts"
import { askFirst, submissionMessage } from "./submission.ts"

/** A mention by a person, with what is said to whom and where. */
export interface Mention {
  user: string
  team: string
  channel: string
  ts: string
  /** The thread it is in, if any. */
  thread: string | undefined
  /** The root of the thread in which it is answered. */
  root: string
  /** What came with it: files, and the words of a message that it passes on. */
  attached: { files: readonly FileFacts[]; forwarded: string }
  /** What Slack calls it, for the log. */
  via: string | undefined
}

/** A request by mention. @param latest the job of the thread, which it follows up */
export async function askInThread(
  deps: AgentDeps,
  asked: Mention,
  { kind, words, project: typed }: Extract<ThreadWords, { kind: "prompt" | "unclear" }>,
  requester: Profile,
  latest?: Job,
): Promise<Message | undefined> {
  // A follow-up stays with its thread's project unless another one is named, or it is gone.
  const stays = latest && typed === undefined && projectNames(deps).includes(latest.project)
  const choice = stays ? { project: latest.project } : await projectFor(deps, asked.channel, typed)
  if ("unknown" in choice) return unknownProjectMessage(choice.unknown, projectNames(deps))
  if (isBlank(words)) return blankMessage()
  const request = await requestOf(deps, asked, { words, project: choice.project }, latest)
  if (kind === "unclear") return askFirst(deps, request)
  return submissionMessage(deps, await submit(deps, request, requester))
}

async function requestOf(
  deps: AgentDeps,
  { user, team, channel, ts, thread, root, attached, via }: Mention,
  { words, project }: { words: string; project: string },
  latest: Job | undefined,
): Promise<NewJob> {
  const first = latest?.first ?? latest?.id
  const follows = latest && latest.project === project && (await takerOf(deps, latest))
  const earlier = latest ? await earlierWork(deps, latest) : undefined
  const { files, forwarded } = attached
  const talk = thread ? { until: ts, ...(latest?.asked ? { from: latest.asked } : {}) } : undefined
  return {
    project,
    team,
    channel,
    user,
    thread: root,
    asked: ts,
    first,
    previous: latest?.id,
    ...(follows ? { follows, prLink: latest.prLink, hadPull: hadPull(latest) } : {}),
    quiet: await deps.jobs.isQuiet(channel, root),
    prompt: {
      words,
      ...(earlier ? { earlier } : {}),
      ...(talk ? { talk } : {}),
      ...(forwarded ? { context: quoteForwarded(forwarded) } : {}),
      ...(files.length > 0 ? { files } : {}),
    },
    // Not the event id: one message can be delivered under two of them.
    idempotencyKey: `message:${channel}:${ts}`,
    via,
  }
}

/** Has the thread said what can be done with the pull request? Its closing reply did, or an earlier one. */
function hadPull(latest: Job): true | undefined {
  return latest.hadPull ?? (latest.ending === "pull_request" ? true : undefined)
}

/** The service's job that takes the words as a message; undefined where they need a new one. */
async function takerOf(
  { hasMessages, operations }: AgentDeps,
  latest: Job,
): Promise<string | undefined> {
  if (!hasMessages || !isEnded(latest) || !takesMessages(latest)) return undefined
  const presence = await operations.presence(latest.project, "message")
  return presence === "absent" ? undefined : latest.agentJobId
}

async function earlierWork({ jobs }: AgentDeps, latest: Job): Promise<string> {
  const { requests, prLink } = await readEarlierWork(jobs, latest)
  return quoteEarlierWork({ requests, prLink: safeUrl(prLink) })
}
