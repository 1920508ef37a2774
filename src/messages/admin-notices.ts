import type { Button } from "@slack/types"
import type { Message } from "../slack/message-types.ts"
import { button, line, plain } from "./blocks.ts"
import { FAULTS, type FaultName, type Setup, takeEffect } from "./faults.ts"
import { counted, date, mentions, ofProject } from "./mrkdwn.ts"

/** Fault of one project that a person must see to. */
export interface Trouble extends Setup {
  kind: Extract<FaultName, "key_refused" | "forbidden" | "restored" | "unknown_hour" | "job_path">
  /** Key of the project's records, which the buttons carry; `label` names it where there are more. */
  project: string
  label: string | undefined
  since: number
  /** Time of the restored backup; absent if nobody knows. */
  backupAt?: number | undefined
  waiting: number
  admins: readonly string[]
}

/** Renders a notice, whose buttons act on the paused queue. @param to the admin who gets it */
export function adminNotice(trouble: Trouble, to: string): Message {
  const { kind, project: value, admins } = trouble
  const { situation, remedy, buttons } = noticeWords(trouble)
  const text = `:warning: ${situation}\n${`${remedy} ${buttons}`.trim()}`
  // The bot first sends one request, so resuming a queue whose key is still refused is harmless.
  const resume = button({ action: "resume", label: "Resume", value })
  const drop = button({ action: "drop_waiting", label: "Drop requests", value, confirm: DROP })
  const shown = kind === "restored" ? [resume, drop] : FAULTS[kind].buttons ? [resume] : []
  return notice(text, admins, to, shown)
}

/** Makes a notice that says which other admins got it. */
function notice(text: string, admins: readonly string[], to: string, buttons: Button[] = []) {
  const others = admins.filter((one) => one !== to)
  const also = others.length > 0 ? `\nAlso sent to ${mentions(others.slice(0, 5))}.` : ""
  return line(`${text}${also}`, buttons)
}

const DROP = {
  title: "Drop waiting requests?",
  text: "They won't start. For the next hour, people can still run them again; follow-ups must be sent again.",
  yes: "Drop requests",
  no: "Keep requests",
}

/** Renders a notice as one line for the log and /readyz. */
export function operatorNotice(trouble: Trouble): string {
  const { says, next } = operatorWords(trouble)
  const admin =
    SHELL[trouble.kind] && trouble.admins.length === 0
      ? `To get this in Slack, set ADMIN_USERS, and ${takeEffect(trouble)}.`
      : ""
  return [`${says}.`, next, withoutCode(admin)].filter(Boolean).join(" ")
}

/**
 * Renders a notice for the log, /readyz and the doctor. Where only a person ends the pause, it names
 * the commands of the shell, which need neither Slack nor an admin there.
 */
export function operatorWords(trouble: Trouble): { says: string; next: string } {
  const { situation, remedy } = noticeWords(trouble)
  const next = [remedy, SHELL[trouble.kind]].filter(Boolean).join(" ")
  return { says: withoutCode(plain(situation)).replace(/\.$/, ""), next: withoutCode(plain(next)) }
}

const SHELL: Partial<Record<FaultName, string>> = {
  forbidden: "Then run node dist/main.js resume.",
  restored:
    "node dist/main.js resume starts them, node dist/main.js drop cancels them; in a container, with docker exec or docker compose exec worker before them.",
}

export function operatorLine({ text }: Message): string {
  return withoutCode(text)
}

function withoutCode(text: string): string {
  return text.replaceAll("`", "")
}

function noticeWords({ kind, waiting, since, backupAt, label, ...setup }: Trouble) {
  const of = ofProject(label)
  const { pauses, is, next, buttons = "" } = FAULTS[kind]
  const head = pauses ? `*Docs requests${of} are paused.*` : `*Results${of} can't be read.*`
  const paused =
    waiting > 0
      ? `Paused since ${date(since)}. ${waitingNow(waiting)}; nothing is lost.`
      : "New requests will wait."
  const backup = backupAt ? `The backup is from ${date(backupAt)}. ` : ""
  const restored = `${backup}${waitingNow(waiting)}.`
  const wait = kind === "restored" ? restored : pauses ? paused : ""
  const situation = [head, is(setup), wait].filter(Boolean).join(" ")
  return { situation, remedy: next(setup), buttons }
}

/** Limit of requests to GitHub that holds back pull request status until a time in ms. */
export interface GitHubLimit {
  fault: "github_limit" | "github_share"
  until: number
}

export const MAX_COUNTED = 100

/** Writes "1 request is waiting" or "More than 100 requests are waiting". */
function waitingNow(waiting: number): string {
  const requests = counted(Math.min(waiting, MAX_COUNTED), "request")
  const atMost = waiting > MAX_COUNTED ? "More than " : ""
  return `${atMost}${requests} ${waiting === 1 ? "is" : "are"} waiting`
}

/** Reports that no worker runs. @param facts `since`: time in ms when one was last seen, or 0 */
export function noWorker(
  { waiting, since }: { waiting: number; since: number },
  admins: readonly string[] = [],
  to = "",
): Message {
  const seen = since > 0 ? `The last one was seen ${date(since)}. ` : ""
  const next = FAULTS.no_worker.next({ isInContainer: false })
  const text = `:warning: *No worker is running.* ${seen}${waitingNow(waiting)}; nothing is lost. ${next}`
  return notice(text, admins, to)
}

/** Tells admins that cards no longer follow pull requests, and what to do about it. */
export function gitHubRefused(
  what: "token" | "repository",
  setup: Setup,
  admins: readonly string[] = [],
  to = "",
): Message {
  const { is, next } = FAULTS[`github_${what}`]
  return notice(`:warning: ${is(setup)} ${next(setup)}`, admins, to)
}

/** Says until when GitHub's limit, or the bot's own share of it, holds back pull request status. */
export function gitHubLimited({ fault, until }: GitHubLimit) {
  const setup = { isInContainer: false, until: plain(date(until)) }
  const { is, next } = FAULTS[fault]
  return { says: is(setup), next: next(setup) }
}

/** Reports that new requests are turned away because Redis has no room for them. */
export function redisFull(admins: readonly string[] = [], to = ""): Message {
  const { is, next } = FAULTS.redis_full
  const setup = { isInContainer: false }
  const text = `:warning: *Redis is almost full.* ${is(setup)}. Queued ones aren't affected. ${next(setup)}`
  return notice(text, admins, to)
}

/** Facts of a project's month for the admins. */
export interface BudgetFacts {
  project: string
  /** Name of the project; undefined if the bot serves only one. */
  label: string | undefined
  used: number
  most: number
  /** Share of the month's requests that is reached: 1 once they are used up. */
  share: number
  waiting: number
  endsAt: number
  /** Name of this notice, so that its button counts once. */
  notice: string
}

/** Tells admins how much of a month's requests is used, and lets them allow more at its end. */
export function budgetNotice(facts: BudgetFacts, admins: readonly string[], to: string): Message {
  const { share, project, notice: id } = facts
  const says = budgetWords(facts)
  if (share < 1) return notice(`${says}.`, admins, to)
  const allow = button({
    action: "allow_ten_more",
    label: "Allow 10 more",
    value: `${project} ${id}`,
  })
  return notice(`:warning: ${says}, or until you allow more.`, admins, to, [allow])
}

/** Renders it as one line for the log and /readyz. */
export function operatorBudgetLine(facts: BudgetFacts, setup: Setup): string {
  const { says, next } = operatorBudget(facts, setup)
  return `${says}. ${next}`.trim()
}

/** Renders it without a button, for an operator. */
export function operatorBudget(facts: BudgetFacts, setup: Setup): { says: string; next: string } {
  const says = withoutCode(plain(budgetWords(facts)))
  const next = facts.share < 1 ? "" : FAULTS.month_full.next(setup)
  return { says, next: withoutCode(plain(next)) }
}

function budgetWords({ label, used, most, share, waiting, endsAt }: BudgetFacts): string {
  const sent = `Docs Agent sent ${used} of ${most} this month${ofProject(label)} (\`JOBS_PER_MONTH\`)`
  if (share < 1) return `*${Math.round(share * 100)}% of this month's requests are used.* ${sent}`
  const wait =
    waiting > 0
      ? `${counted(waiting, "request")} ${waiting === 1 ? "waits" : "wait"}`
      : "New requests wait"
  return `*This month's requests are used up.* ${sent}. ${wait} until ${date(endsAt, "{date_short_pretty}")}`
}
