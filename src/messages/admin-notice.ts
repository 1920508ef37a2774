import { type Finding, headline, type Level } from "../doctor/finding.ts"
import type { Pull } from "../jobs/job.ts"
import type { TroubleFacts } from "../jobs/trouble/admin-notices.ts"
import type { Message } from "./blocks.ts"
import { button, line, message, packed, plain } from "./blocks.ts"
import { anAdmin, clockTime, counted, date, foreignLine, mentions } from "./mrkdwn.ts"

export function adminNotice(trouble: TroubleFacts): Message {
  const { kind, project: value, others } = trouble
  const { situation, remedy } = wordsOf(trouble)
  const also = others.length > 0 ? `Also sent to ${mentions(others.slice(0, 5))}.` : ""
  const text = [`:warning: ${situation}`, remedy, also].filter(Boolean).join("\n")
  // The bot first sends one request, so resuming a queue whose key is still refused is harmless.
  const resume = button({ action: "resume", label: "Resume", value, confirm: RESUME })
  const drop = button({ action: "drop_waiting", label: "Drop requests", value, confirm: DROP })
  return line(text, kind === "job_path" ? [] : kind === "restored" ? [resume, drop] : [resume])
}

const RESUME = {
  title: "Resume the queue?",
  text: "Docs Agent will send one request first, and the others if it's accepted.",
  yes: "Resume",
  no: "Keep paused",
}
const DROP = {
  title: "Drop waiting requests?",
  text: "They won't start. Each can be run again within an hour.",
  yes: "Drop requests",
  no: "Keep them",
}

/** Tells the operator the same in one line of `/readyz`, if no admin is set who could resume. */
export function operatorNotice(trouble: TroubleFacts): string {
  const { situation, remedy } = wordsOf(trouble)
  const resume =
    trouble.kind === "forbidden" || trouble.kind === "restored"
      ? " To get this in Slack, with its buttons, set ADMIN_USERS and restart."
      : ""
  return `${plain(`${situation} ${remedy}`).replaceAll("`", "")}${resume}`
}

function wordsOf({ kind, waiting, since, setting, ...names }: TroubleFacts) {
  const name = `*${foreignLine(names.projectName, 40)}*`
  const host = foreignLine(names.host, 80)
  const requests = counted(waiting, "request")
  const wait =
    waiting > 0
      ? `Paused since ${clockTime(since)}; ${requests} ${waiting === 1 ? "is" : "are"} waiting, and nothing is lost.`
      : "Nothing is lost."
  const refused = `*Docs requests are paused.* The documentation service (${host})`
  const texts = {
    key_refused: {
      situation: `${refused} rejected the API key for ${name} (401). ${wait}`,
      remedy: `Create a new admin key in the service's dashboard, set it in \`${setting}\`, and restart Docs Agent. The queue resumes on its own.`,
    },
    forbidden: {
      situation: `${refused} doesn't allow the API key for ${name} to start requests (403). ${wait}`,
      remedy:
        "In the service's dashboard, check that it's an admin key for this project and that its IP allowlist includes this server. Then press *Resume*.",
    },
    restored: {
      situation: `*Docs requests are paused.* Nothing has run for ${name} since ${date(since)}, or Redis was restored from a backup made then. ${requests} ${waiting === 1 ? "is" : "are"} waiting and may be out of date or already done.`,
      remedy:
        "*Resume* starts them. *Drop requests* cancels them; each can be run again within an hour.",
    },
    job_path: {
      situation: `*Results can't be read.* The documentation service (${host}) can't find requests it accepted for ${name} (404).`,
      remedy:
        "Check `DOCS_JOB_PATH` against *Get agent job* in your service's API reference, then restart Docs Agent.",
    },
  }
  return texts[kind]
}

/** Tells admins who got a notice of a pause that it is over. */
export function runningAgain(project: string, waiting: number): Message {
  const next = ` ${counted(waiting, "request")} ${waiting === 1 ? "is" : "are"} next in line.`
  const over = `*Docs requests are running again for ${foreignLine(project, 40)}.*`
  return line(waiting > 0 ? over + next : over)
}

export function noWorker(waiting: number): Message {
  return line(
    `:warning: *No worker is running.* ${counted(waiting, "request")} ${waiting === 1 ? "is" : "are"} waiting; nothing is lost. Start a worker (\`node dist/main.js worker\`), or check the last one's log.`,
  )
}

/** Tells a person that their request is not lost while it waits for a worker, and who can help. */
export function savedForLater(admins: readonly string[]): Message {
  return line(
    `*Your request is saved*, but I can't start it right now. It'll start once ${anAdmin(admins)} gets me running again.`,
  )
}

/** Tells admins that cards no longer follow pull requests, and what to do about it. */
export function gitHubRefused(
  what: "token" | "repository",
  { owner, repo }: Pick<Pull, "owner" | "repo">,
): Message {
  return line(
    what === "token"
      ? ":warning: *GitHub rejected the token.* I can't update pull request status until it's replaced. Links still work. Set a new `GITHUB_TOKEN` and restart Docs Agent."
      : `:warning: *The GitHub token can't read ${foreignLine(`${owner}/${repo}`, 150)}.* I can't update the status of its pull requests. Links still work. Give the token read access to pull requests there.`,
  )
}

const MARKS: Record<Level, string> = {
  ok: ":white_check_mark:",
  warning: ":warning:",
  fault: ":x:",
}

/** Maximum findings to show, because Slack allows 50 blocks; the message only counts further ones. */
const SHOWN = 20
/** Maximum length of a line, in code points: escaping may make it five times as long, and two must fit a section. */
const LINE = 290

export function adminsOnlyMessage(admins: readonly string[], what = "do that"): Message {
  const next =
    admins.length > 0
      ? `Ask ${anAdmin(admins)}.`
      : "Ask the person who runs Docs Agent to add you to `ADMIN_USERS`."
  return line(`*Only an admin can ${what}.* ${next}`)
}

export function doctorMessage(findings: readonly Finding[]): Message {
  const wrong = findings.filter(({ level }) => level !== "ok")
  const fine = findings.filter(({ level }) => level === "ok")
  const left = wrong.length - SHOWN
  const more = left > 0 ? ` …and ${left} more. See them all with \`node dist/main.js doctor\`.` : ""
  return message({
    lines: [`*${headline(findings)}*${more}`, ...wrong.slice(0, SHOWN).map(toLine)],
    small: packed(fine.map(toLine))[0],
  })
}

function toLine({ level, says, next }: Finding): string {
  const step = next ? `\n${foreignLine(next, LINE)}` : ""
  return `${MARKS[level]} ${foreignLine(says, LINE)}${step}`
}
