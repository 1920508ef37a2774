import type { KnownBlock } from "@slack/types"
import type { Quota } from "../jobs/estimate.ts"
import { isEnded } from "../jobs/job.ts"
import type { Overview } from "../jobs/overview.ts"
import { pausedNow } from "../jobs/places.ts"
import { LIGHT_USER_CREATIONS } from "../jobs/played-hour.ts"
import type { Message } from "../ports/message.ts"
import { truncate } from "../text/truncate.ts"
import { context, plain, section } from "./blocks.ts"
import { date, foreignLine, link } from "./mrkdwn.ts"
import { PAUSED } from "./pause.ts"
import { pullRequestLabel, safeUrl } from "./pull-request.ts"

/** Ten lines about queues, with their names and pauses, fit into one text block. */
const PROJECTS_SHOWN = 10

/** The projects there is room for, those first where something waits, and a word about the others. */
export function shownQuotas({ quotas, now }: Pick<Overview, "quotas" | "now">): {
  shown: Overview["quotas"]
  others: string[]
} {
  const stands = ({ quota }: Overview["quotas"][number]) =>
    Number(!!pausedNow({ pause: quota.pause, now }))
  const urgent = quotas.toSorted(
    (a, b) =>
      stands(b) - stands(a) || b.quota.waiting - a.quota.waiting || b.quota.used - a.quota.used,
  )
  const left = quotas.length - PROJECTS_SHOWN
  if (left <= 0) return { shown: quotas, others: [] }
  return {
    shown: urgent.slice(0, PROJECTS_SHOWN),
    others: [`Calmer projects, not shown: ${left}.`],
  }
}

/** My jobs and the queue, privately. */
export function statusMessage(overview: Overview): Message {
  const jobs = overview.jobs.map(jobLine)
  const mine = jobs.length > 0 ? jobs : ["You have not asked for anything lately."]
  const { shown, others } = shownQuotas(overview)
  const lines = shown.map(({ project, quota }) =>
    queueLine(quota, overview.quotas.length > 1 ? project : undefined, overview.now),
  )
  const queue = [...lines, ...others]
  return {
    text: plain([...mine, ...queue].join("\n")),
    blocks: [section("*Your latest jobs*"), ...mine.map(section), context(queue.join("\n"))],
  }
}

/** One job in one line. */
export function jobLine({ job, words, place, card }: Overview["jobs"][number]): string {
  const said = truncate(words.replace(/\s+/g, " "), 80) || "(its words are no longer kept)"
  const title = card ? link(card, said) : foreignLine(said, 80)
  const url = safeUrl(job.prLink)
  const pr = url ? `  ·  ${link(url, pullRequestLabel(url))}` : ""
  const id = job.state === "queued" ? `  ·  \`${job.id}\`` : ""
  return `*${STATE_WORDS[isEnded(job) ? job.ending : job.state]}*  ${title}${place ? `  ·  number ${place.place}, about ${date(place.startsAt)}` : ""}${pr}${id}`
}

const STATE_WORDS = {
  ended: "Ended",
  queued: "Waiting",
  creating: "Starting",
  active: "Working",
  pull_request: "Pull request",
  no_pull_request: "No pull request",
  failed: "Failed",
  archived: "Archived",
  lost: "Lost track",
  gone: "Gone",
  unknown: "Unclear",
  refused: "Refused",
  cancelled: "Cancelled",
  unfollowed: "Not followed",
  no_card: "Not started",
} as const

function queueLine(quota: Quota, project: string | undefined, now: number): string {
  const name = project ? `${foreignLine(project, 60)}: ` : ""
  const waiting = quota.waiting === 0 ? "nobody waits" : `${quota.waiting} waiting`
  return `${name}${quota.used} of ${quota.ceiling} jobs of the last 60 minutes used, ${waiting}.${pauseLine(quota, now)}`
}

function pauseLine({ pause }: Quota, now: number): string {
  const reason = pausedNow({ pause, now })
  return reason ? ` ${PAUSED[reason]}` : ""
}

/** Used and left in the rolling hour, next free slot, who waits. */
export function quotaMessage({ quotas, now }: Overview): Message {
  const { shown, others } = shownQuotas({ quotas, now })
  const hours = shown.map(({ project, quota }) => {
    const name = quotas.length > 1 ? `*${foreignLine(project, 60)}*\n` : ""
    return `${name}${quotaBar(quota)}\n${quotaWords(quota)}${pauseLine(quota, now)}`
  })
  const lines = [...hours, ...others]
  return { text: plain(lines.join("\n")), blocks: lines.map(section) }
}

const BAR_LENGTH = 20

/** The hour as a bar; screen readers get the numbers beside it. */
export function quotaBar({ used, ceiling }: Quota): string {
  const filled = Math.min(BAR_LENGTH, Math.round((used / ceiling) * BAR_LENGTH))
  return `\`${"█".repeat(filled)}${"░".repeat(BAR_LENGTH - filled)}\` ${used} of ${ceiling} used`
}

export function quotaWords(quota: Quota): string {
  const next = quota.nextFreeAt
    ? `The next one is free about ${date(quota.nextFreeAt)}.`
    : `${quota.left} left in this rolling hour.`
  const kept =
    quota.reserved > 0
      ? ` The last ${quota.reserved} are kept for people who asked fewer than ${LIGHT_USER_CREATIONS} times in it.`
      : ""
  const waiting = quota.waiting === 0 ? "Nobody waits." : `${quota.waiting} waiting.`
  return `${next}${kept} ${waiting}`
}

/** How to ask, in few words. */
export function helpBlocks(): KnownBlock[] {
  return [section(HELP)]
}

export function helpMessage(): Message {
  return { text: HELP, blocks: helpBlocks() }
}

const HELP = [
  "*Ask the docs agent for a change; the pull request comes back in the thread.*",
  "`/docs-agent &lt;what to change&gt;` starts a job. Alone, it opens a form for longer text.",
  "`/docs-agent status` shows your jobs, `quota` the hour's jobs, `cancel &lt;id&gt;` takes back one that waits.",
  "Mention the bot in a thread and the talk travels along. In a thread that has a job, more words are a follow-up; `status`, `cancel`, `retry`, `quiet` and `help` are commands.",
  "On a message, the shortcut *Ask the docs agent* quotes it.",
  "`/docs-visitors` shows who reads the docs, people and AI.",
  "`/docs-agent forget-me` takes your words and your name out of what the bot keeps. Admins: `doctor` checks the set-up, `audit` sends who asked for what.",
  "The agent writes with AI: read its pull request before you merge it.",
].join("\n")
