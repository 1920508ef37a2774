import type { Button } from "@slack/types"
import type { Message } from "../slack/message-types.ts"
import { button, line, plain } from "./blocks.ts"
import { ALLOW_MORE, FAULTS, type FaultName, type Setup, takeEffect } from "./fault-words.ts"
import { counted, date, mentions, ofProject } from "./mrkdwn.ts"

/** Something that a person must see to or should know, in words for admins and operators. */
export interface Notice {
  /** Identifies the notice, of which the log and each admin hear once. */
  about: string
  fault: FaultName
  situation: string
  /** Next step; "" if there is nothing to do yet. */
  remedy: string
  buttons?: readonly Button[]
  /** Words about the buttons, in whose place an operator reads `commands`. */
  press?: string | undefined
  /** Words about the commands of the shell, which need neither Slack nor an admin there. */
  commands?: string
}

/** Renders a notice for an admin, and names the others who got it. @param to the admin */
export function adminMessage(notice: Notice, admins: readonly string[], to: string): Message {
  const { situation, remedy, press = "", buttons } = notice
  const others = admins.filter((one) => one !== to)
  const also = others.length > 0 && `Also sent to ${mentions(others.slice(0, 5))}.`
  const mark = remedy ? ":warning: " : ""
  const lines = [`${mark}${situation}`, `${remedy} ${press}`.trim(), also]
  return line(lines.filter(Boolean).join("\n"), buttons)
}

/** Renders a notice for the doctor, as plain text. */
export function operatorWords({ situation, remedy, commands = "" }: Notice) {
  const next = withoutCode(plain(`${remedy} ${commands}`.trim()))
  return { says: withoutCode(plain(situation)).replace(/\.$/, ""), next }
}

/** Renders a notice as one line for the log and /readyz. */
export function operatorLine(notice: Notice): string {
  const { says, next } = operatorWords(notice)
  return `${says}. ${next}`.trim()
}

function withoutCode(text: string): string {
  return text.replaceAll("`", "")
}

/** Makes the notice of a fault that the words in `FAULTS` say completely. */
export function faultNotice(fault: FaultName, setup: Setup, about: string = fault): Notice {
  const { is, next } = FAULTS[fault]
  return { about, fault, situation: is(setup), remedy: next(setup) }
}

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

/** Makes the notice of a project's trouble, whose buttons act on the paused queue. */
export function troubleNotice(trouble: Trouble): Notice {
  const { kind, project: value, since, admins } = trouble
  const { pauses, buttons: press } = FAULTS[kind]
  const notice = faultNotice(kind, trouble, `${value}:${pauses ? "pause" : kind}:${since}`)
  const of = ofProject(trouble.label)
  const head = pauses ? `*Docs requests${of} are paused.*` : `*Results${of} can't be read.*`
  const situation = [head, notice.situation, pauses && waitOf(trouble)].filter(Boolean).join(" ")
  // The bot first sends one request, so resuming a queue whose key is still refused is harmless.
  const resume = button({ action: "resume", label: "Resume", value })
  const drop = button({ action: "drop_waiting", label: "Drop requests", value, confirm: DROP })
  const buttons = kind === "restored" ? [resume, drop] : press ? [resume] : []
  const shell = SHELL[kind]
  const toSlack = `To get this in Slack, set ADMIN_USERS, and ${takeEffect(trouble)}.`
  const commands = shell && admins.length === 0 ? `${shell} ${toSlack}` : shell
  return { ...notice, situation, buttons, press, commands }
}

const DROP = {
  title: "Drop waiting requests?",
  text: "They won't start. For the next hour, people can still run them again; follow-ups must be sent again.",
  yes: "Drop requests",
  no: "Keep requests",
}

/** Commands for what only a person ends. */
const SHELL: Partial<Record<FaultName, string>> = {
  forbidden: "Then run node dist/main.js resume.",
  restored:
    "node dist/main.js resume starts them, node dist/main.js drop cancels them; in a container, with docker exec or docker compose exec worker before them.",
}

function waitOf({ kind, waiting, since, backupAt }: Trouble): string {
  const backup = backupAt ? `The backup is from ${date(backupAt)}. ` : ""
  // Some were sent or cancelled since the backup, as the comparison with their cards will show.
  const left = waiting > 0 ? `Up to ${waitingNow(waiting)}.` : "No requests are waiting."
  if (kind === "restored") return `${backup}${left}`
  if (kind === "unknown_hour") return left
  if (waiting === 0) return "New requests will wait."
  return `Paused since ${date(since)}. ${waitingNow(waiting)}; nothing is lost.`
}

export const MAX_COUNTED = 100

/** Writes "1 request is waiting". */
function waitingNow(waiting: number): string {
  return `${counted(waiting, "request")} ${waiting === 1 ? "is" : "are"} waiting`
}

/** Makes the notice that no worker runs. @param since time in ms when one was last seen, or 0 */
export function workerNotice(waiting: number, since: number): Notice {
  const notice = faultNotice("no_worker", {}, `worker:${since}`)
  const seen = since > 0 ? `The last one was seen ${date(since)}. ` : ""
  const isMore = waiting > MAX_COUNTED
  const left = isMore ? `More than ${waitingNow(MAX_COUNTED)}` : waitingNow(waiting)
  const situation = `${notice.situation} ${seen}${left}; nothing is lost.`
  return { ...notice, situation }
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

/** Makes the notice of how much of a month is used; at its end, admins may allow more. */
export function monthNotice(facts: BudgetFacts, setup: Setup): Notice {
  const { project, label, used, most, share, waiting, endsAt, notice: id } = facts
  const about = `budget:${project}:${id}`
  const sent = `Docs Agent sent ${used} of ${most} this month${ofProject(label)} (\`JOBS_PER_MONTH\`).`
  if (share < 1) {
    const situation = `*${Math.round(share * 100)}% of this month's requests are used.* ${sent}`
    return { about, fault: "month_full", situation, remedy: "" }
  }
  const who =
    waiting > 0
      ? `${counted(waiting, "request")} ${waiting === 1 ? "waits" : "wait"}`
      : "New requests wait"
  const until = date(endsAt, "{date_short_pretty}")
  const situation = `*This month's requests are used up.* ${sent} ${who} until ${until}.`
  const value = `${project} ${id}`
  const allow = button({ action: "allow_more", label: ALLOW_MORE, value })
  return { ...faultNotice("month_full", setup, about), situation, buttons: [allow] }
}
