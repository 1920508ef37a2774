import type { Quota } from "../jobs/expected-starts.ts"
import { pausedNow } from "../jobs/places.ts"
import type { Message, Modal } from "../ports/message.ts"
import { actions, button, context, privateText, section, sections } from "./blocks.ts"
import { groupsOf, listedLine, type OverviewFacts } from "./lists.ts"
import { clockTime, foreignLine } from "./mrkdwn.ts"
import { pauseLine } from "./queue.ts"

/** Lines about projects, with their names and pauses, that fit into one text block. */
const PROJECTS_SHOWN = 10
/** Requests that `status` lists of each group. */
const LISTED = 10
/** Slack refuses messages of more than 13,200 characters. */
const LONGEST = 10_000

/** Opens the form to ask in. */
export function askButton() {
  return button({ action: "open_ask", label: "Request a change", value: "ask" })
}

/** Lists a person's requests, privately, as the Home tab does. */
export function statusMessage(facts: OverviewFacts): Message {
  const groups = Object.entries(groupsOf(facts)).filter(([, listed]) => listed.length > 0)
  let room = LONGEST
  const parts = groups.map(([name, listed]) => {
    const lines = listed.slice(0, LISTED).flatMap((one) => {
      const text = `• ${listedLine(one, facts.gitHubHost)}`
      room -= text.length
      return room > 0 ? text : []
    })
    return [`*${name}*`, ...lines, ...moreLine(listed.length - lines.length)]
  })
  const mine = parts.length > 0 ? parts : [["*No requests yet.*"]]
  const hours = hourLines(facts)
  return {
    text: privateText([...mine.flat(), ...hours].join("\n")),
    blocks: [
      ...mine.flatMap((lines) => sections(lines)),
      context(hours.join("\n")),
      ...actions([askButton()]),
    ],
  }
}

export function moreLine(more: number): string[] {
  return more > 0 ? [`${more} more`] : []
}

/** Answers whether one may be started now, and if not, when. */
export function quotaMessage(facts: OverviewFacts): Message {
  const { shown, others } = shownQuotas(facts)
  const lines = shown.map(({ project, quota }) => {
    const name = shown.length > 1 ? `*${foreignLine(facts.nameOf(project), 40)}*\n` : ""
    return `${name}${mayStart(quota, facts)}\n${hourLine(quota)}`
  })
  return {
    text: privateText([...lines, ...others].join("\n")),
    blocks: [...[...lines, ...others].map((one) => section(one)), ...actions([askButton()])],
  }
}

function mayStart(quota: Quota, { overview, admins }: OverviewFacts): string {
  const { startsAt, isReserved, pause } = quota
  const reason = pausedNow({ pause, now: overview.now })
  if (reason) return pauseLine(reason, admins, pause?.until)
  if (startsAt === undefined) return "*You can start a request now.*"
  const why = isReserved
    ? " The rest of this hour is kept for people who've asked less than 5 times."
    : ""
  return `*Your next request would start around ${clockTime(startsAt)}.*${why}`
}

function hourLine({ used, ceiling, waiting }: Quota): string {
  return `${used} of ${ceiling} requests this hour${waiting > 0 ? ` · ${waiting} queued` : ""}`
}

/** Says of each project how much of its hour is used. */
function hourLines(facts: OverviewFacts): string[] {
  const { shown, others } = shownQuotas(facts)
  return [...shown.map((one) => namedHour(one, facts)), ...others]
}

function namedHour(
  { project, quota }: OverviewFacts["overview"]["quotas"][number],
  { overview, nameOf }: OverviewFacts,
): string {
  const name = overview.quotas.length > 1 ? `${foreignLine(nameOf(project), 40)}: ` : ""
  return `${name}${hourLine(quota)}`
}

/** Names the projects where a request would have to wait, and why. @param options.withPaused those, too */
export function bindingLines(facts: OverviewFacts, options: { withPaused: boolean }): string[] {
  const { shown } = shownQuotas(facts)
  return shown.flatMap((one) => {
    const { quota } = one
    const isPaused = pausedNow({ pause: quota.pause, now: facts.overview.now }) !== undefined
    const binds = isPaused ? options.withPaused : quota.startsAt !== undefined
    return binds ? [`${mayStart(quota, facts)}\n${namedHour(one, facts)}`] : []
  })
}

/** Picks the projects there is room for, those first where something is paused or waits. */
function shownQuotas({ overview }: OverviewFacts) {
  const { quotas, now } = overview
  const isPaused = ({ quota }: (typeof quotas)[number]) =>
    Number(!!pausedNow({ pause: quota.pause, now }))
  const urgent = quotas.toSorted(
    (a, b) =>
      isPaused(b) - isPaused(a) || b.quota.waiting - a.quota.waiting || b.quota.used - a.quota.used,
  )
  const left = quotas.length - PROJECTS_SHOWN
  if (left <= 0) return { shown: quotas, others: [] }
  const others = [`${left} other ${left === 1 ? "project isn't" : "projects aren't"} shown.`]
  return { shown: urgent.slice(0, PROJECTS_SHOWN), others }
}

/** Explains how to ask, in few words. */
export function helpMessage(): Message {
  return { text: HELP, blocks: [section(HELP), ...actions([askButton()])] }
}

/** Shows the same over the Home tab, whose first button asks. */
export function helpModal(): Modal {
  return {
    type: "modal",
    title: { type: "plain_text", text: "How it works" },
    close: { type: "plain_text", text: "Close" },
    blocks: [section(HELP)],
  }
}

/** Says in one line what the app does. */
export const LEAD = "*Ask for a docs change and get a pull request to review.*"

const HELP = [
  LEAD,
  "Changes are written by AI. Review every pull request before merging.",
  "• `/docs-agent &lt;what to change&gt;` sends a request. On its own, it opens a form.",
  "• In a thread, mention me: I'll read the conversation first. Mention me again to change the same pull request.",
  "• Also in a thread, mention me with `status`, `cancel`, `retry` or `mute`.",
  "• `/docs-agent status`: your requests · `quota`: the hourly limit · `cancel &lt;id&gt;`: cancel a queued request",
  "• To start from a message: ⋮ → *Ask the docs agent*",
  "• Docs traffic: `/docs-visitors`",
  "Also: `/docs-agent forget-me` deletes your requests and name. Admins: `/docs-agent doctor` checks the setup; `audit` exports a log of requests.",
].join("\n")
