import type { Quota } from "../jobs/estimate.ts"
import { isEnded, type QueuePlace } from "../jobs/job.ts"
import type { Overview } from "../jobs/overview.ts"
import { pausedNow } from "../jobs/places.ts"
import { LIGHT_USER_CREATIONS } from "../jobs/simulated-hour.ts"
import type { Message, Modal } from "../ports/message.ts"
import { truncate } from "../text/truncate.ts"
import { actions, context, privateText, section } from "./blocks.ts"
import { clockTime, foreignLine, link } from "./mrkdwn.ts"
import { askButton } from "./near-miss-messages.ts"
import { pauseLine } from "./pause.ts"
import { pullRequestLabel, safeUrl } from "./pull-request.ts"
import { expectedStart, positionText } from "./queue-place.ts"

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
    others: [`${left} quieter ${left === 1 ? "project" : "projects"} not shown.`],
  }
}

/** My jobs and the queue, privately. */
export function statusMessage(overview: Overview): Message {
  const jobs = overview.jobs.map((job) => jobLine(job, overview.gitHubHost))
  const mine = jobs.length > 0 ? [...jobs, ...moreLine(overview)] : ["You have no recent jobs."]
  const { shown, others } = shownQuotas(overview)
  const lines = shown.map(({ project, quota }) =>
    queueLine(quota, overview.quotas.length > 1 ? project : undefined, overview.now),
  )
  const queue = [...lines, ...others]
  return {
    text: privateText(["Your jobs", ...mine, ...queue].join("\n")),
    blocks: [
      section("*Your jobs*"),
      ...mine.map(section),
      context(queue.join("\n")),
      ...actions([askButton()]),
    ],
  }
}

/** A word about jobs that have not ended and for which there was no room. */
export function moreLine({ more }: Overview): string[] {
  return more > 0 ? [`And ${more} more running or in line.`] : []
}

/** One job in one line, with its id where only words can cancel it. @param options.hasCancel a button does */
export function jobLine(
  { job, words, place, card }: Overview["jobs"][number],
  gitHubHost: string,
  options: { hasCancel: boolean } = { hasCancel: false },
): string {
  const none = job.isForgotten ? "(request deleted)" : "(request no longer kept)"
  const said = truncate(words.replace(/\s+/g, " "), 80) || none
  const title = card ? link(card, said) : foreignLine(said, 80)
  const url = safeUrl(job.prLink)
  const pr = url ? ` · ${link(url, pullRequestLabel(url, gitHubHost))}` : ""
  const id = job.state === "queued" && !options.hasCancel ? ` · \`${job.id}\`` : ""
  return `*${STATE_WORDS[isEnded(job) ? job.ending : job.state]}*  ${title}${place ? placeWords(place) : ""}${pr}${id}`
}

function placeWords(place: QueuePlace): string {
  return [positionText(place).toLowerCase(), expectedStart(place)]
    .filter(Boolean)
    .map((words) => ` · ${words}`)
    .join("")
}

const STATE_WORDS = {
  ended: "Ended",
  queued: "Queued",
  creating: "Starting",
  active: "Working",
  pull_request: "Pull request",
  no_pull_request: "No pull request",
  failed: "Failed",
  archived: "Archived",
  lost: "Still not finished",
  gone: "Gone",
  unknown: "Unconfirmed",
  refused: "Refused",
  cancelled: "Cancelled",
  unfollowed: "No longer followed",
  no_card: "Not started",
} as const

function queueLine(quota: Quota, project: string | undefined, now: number): string {
  return `${hourLine(quota, project)}${pausedLine(quota, now)}`
}

/** The hour in one line. @param project named where there are several */
export function hourLine(quota: Quota, project: string | undefined): string {
  const name = project ? `${foreignLine(project, 60)}: ` : ""
  const waiting = quota.waiting === 0 ? "The queue is empty" : `${quota.waiting} in line`
  return `${name}${quota.used} of ${quota.ceiling} jobs used in the last hour. ${waiting}.`
}

function pausedLine({ pause }: Quota, now: number): string {
  const reason = pausedNow({ pause, now })
  return reason ? `\n${pauseLine(reason, pause?.until)}` : ""
}

/** Used and left in the rolling hour, next free slot, who waits. */
export function quotaMessage({ quotas, now }: Overview): Message {
  const { shown, others } = shownQuotas({ quotas, now })
  const hours = shown.map(({ project, quota }) => {
    const name = quotas.length > 1 ? `*${foreignLine(project, 60)}*\n` : ""
    return `${name}${quotaBar(quota)}\n${quotaWords(quota)}${pausedLine(quota, now)}`
  })
  const lines = [...hours, ...others]
  return {
    text: privateText(lines.join("\n")),
    blocks: [...lines.map(section), ...actions([askButton()])],
  }
}

const BAR_LENGTH = 20

/** The hour as a bar; screen readers get the numbers beside it. */
function quotaBar({ used, ceiling }: Quota): string {
  const filled = Math.min(BAR_LENGTH, Math.round((used / ceiling) * BAR_LENGTH))
  return `\`${"█".repeat(filled)}${"░".repeat(BAR_LENGTH - filled)}\` ${used} of ${ceiling} jobs used in the last hour`
}

function quotaWords(quota: Quota): string {
  // A slot that is free starts nothing while nobody knows when the pause is over.
  const endless = quota.pause !== undefined && quota.pause.until === undefined
  const next =
    quota.nextFreeAt && !endless
      ? `Next free slot: around ${clockTime(quota.nextFreeAt)}.`
      : `${quota.left} left.`
  const kept =
    quota.reserved > 0
      ? ` The last ${quota.reserved} are reserved for people with fewer than ${LIGHT_USER_CREATIONS} jobs this hour.`
      : ""
  const waiting = quota.waiting === 0 ? "The queue is empty." : `${quota.waiting} in line.`
  return `${next}${kept} ${waiting}`
}

/** How to ask, in few words. */
export function helpMessage(): Message {
  return { text: HELP, blocks: [section(HELP), ...actions([askButton()])] }
}

/** The same over the Home tab, whose first button asks. */
export function helpModal(): Modal {
  return {
    type: "modal",
    title: { type: "plain_text", text: "How to ask" },
    close: { type: "plain_text", text: "Close" },
    blocks: [section(HELP)],
  }
}

const HELP = [
  "*Ask for a docs change. The pull request comes back in the thread.*",
  "• `/docs-agent &lt;what to change&gt;` starts a job. On its own, `/docs-agent` opens a form.",
  "• Mention me in a thread and I'll use the conversation as context. Mention me again to follow up, or with `status`, `cancel`, `retry` or `quiet`. Slash commands don't run in threads.",
  "• `/docs-agent status` shows your jobs, `quota` the hourly limit, and `cancel &lt;id&gt;` cancels a queued job.",
  "• The message shortcut *Ask the docs agent* lets you quote any message in a request.",
  "• `/docs-visitors` shows who reads the docs, people and AI.",
  "• `/docs-agent forget-me` deletes your prompts and name.",
  "• Admins: `/docs-agent doctor` checks the setup, and `audit` sends you a list of who asked for what.",
  "The agent writes with AI. Review its pull request before merging.",
].join("\n")
