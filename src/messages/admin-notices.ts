import type { Pull } from "../jobs/job.ts"
import type { Trouble } from "../operating/tell-admins.ts"
import type { Message } from "../slack/message.ts"
import { button, line, plain } from "./blocks.ts"
import { counted, date, foreignLine, mentions, ofProject } from "./mrkdwn.ts"

/** Renders a notice, whose buttons act on the paused queue. @param to the admin who gets it */
export function adminNotice(trouble: Trouble, to: string): Message {
  const { kind, project: value, admins } = trouble
  const { situation, remedy, buttons } = wordsOf(trouble)
  const text = [`:warning: ${situation}`, `${remedy} ${buttons}`.trim(), alsoSentTo(admins, to)]
  // The bot first sends one request, so resuming a queue whose key is still refused is harmless.
  const resume = button({ action: "resume", label: "Resume", value })
  const drop = button({ action: "drop_waiting", label: "Drop requests", value, confirm: DROP })
  const shown = kind === "job_path" ? [] : kind === "restored" ? [resume, drop] : [resume]
  return line(text.filter(Boolean).join("\n"), shown)
}

function alsoSentTo(admins: readonly string[], to: string): string {
  const others = admins.filter((one) => one !== to)
  return others.length > 0 ? `Also sent to ${mentions(others.slice(0, 5))}.` : ""
}

const DROP = {
  title: "Drop waiting requests?",
  text: "They won't start. For the next hour, people can still run them again; follow-ups must be sent again.",
  yes: "Drop requests",
  no: "Keep requests",
}

/** Renders a notice as one line for the log and, without `ADMIN_USERS`, for `/readyz`. */
export function operatorNotice(trouble: Trouble): string {
  const { kind, admins } = trouble
  const { situation, remedy, buttons } = wordsOf(trouble)
  const needsAdmin = kind === "forbidden" || kind === "restored"
  const who = admins.length > 0 ? "Admins have" : "Set ADMIN_USERS and restart to get"
  const next = needsAdmin ? [buttons, `${who} these buttons in Slack.`] : []
  return plain([situation, remedy, ...next].join(" ").trim()).replaceAll("`", "")
}

export function operatorLine({ text }: Message): string {
  return text.replaceAll("`", "")
}

function wordsOf({ kind, waiting, since, setting, ...names }: Trouble) {
  const of = ofProject(names.label)
  const service = `The documentation service (${foreignLine(names.host, 80)})`
  const paused = `*Docs requests${of} are paused.*`
  const wait =
    waiting > 0
      ? `Paused since ${date(since)}. ${waitingNow(waiting)}; nothing is lost.`
      : "New requests will wait."
  const texts = {
    key_refused: {
      situation: `${paused} ${service} rejected this project's API key (401). ${wait}`,
      remedy: `Create a new admin key in the service's dashboard, set it in \`${setting}\`, and restart Docs Agent. The queue resumes on its own.`,
      buttons: "If the current key is still valid, press *Resume*.",
    },
    forbidden: {
      situation: `${paused} ${service} doesn't allow this project's API key to start requests (403). ${wait}`,
      remedy:
        "In the service's dashboard, check that the key is an admin key for this project and that its IP allowlist includes the machine Docs Agent runs on.",
      buttons: "Then press *Resume*.",
    },
    restored: {
      situation: `${paused} Nothing has run since ${date(since)}, or Redis was restored from a backup made then. ${waitingNow(waiting)} and may be out of date or already done.`,
      remedy: "Decide whether they should still start.",
      buttons: "*Resume* starts them. *Drop requests* cancels them.",
    },
    job_path: {
      situation: `*Results${of} can't be read.* ${service} can't find requests it accepted (404). The agent may be working, but results won't appear in Slack.`,
      remedy:
        'Check `DOCS_JOB_PATH` against "Get agent job" in your service\'s API reference, correct it, and restart Docs Agent.',
      buttons: "",
    },
  }
  return texts[kind]
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
  const next =
    "Start a worker (`node dist/main.js worker`). If one should be running, check its log."
  const text = `:warning: *No worker is running.* ${seen}${waitingNow(waiting)}; nothing is lost. ${next}`
  return line([text, alsoSentTo(admins, to)].filter(Boolean).join("\n"))
}

/** Tells admins that cards no longer follow pull requests, and what to do about it. */
export function gitHubRefused(
  what: "token" | "repository",
  { owner, repo }: Pick<Pull, "owner" | "repo">,
): Message {
  return line(
    what === "token"
      ? ":warning: *GitHub rejected the token.* Pull request status no longer updates; links still work. Set a new `GITHUB_TOKEN` and restart Docs Agent."
      : `:warning: *The GitHub token can't read ${foreignLine(`${owner}/${repo}`, 150)}.* Pull request status no longer updates there; links still work. Give the token *Pull requests: read* for this repository.`,
  )
}

/** Says until when GitHub's limit, or the bot's own share of it, holds back pull request status. */
export function gitHubLimited({ of, until }: { of: "token" | "share"; until: number }) {
  const time = plain(date(until))
  return of === "token"
    ? {
        says: `GitHub's request limit for GITHUB_TOKEN is used up until ${time}`,
        next: "Pull request status updates again after that. If other programs use the token, give Docs Agent one of its own.",
      }
    : {
        says: `Docs Agent has used its half of GitHub's hourly request limit until ${time}`,
        next: "New pull requests still show at once; reviews and merges show late until then.",
      }
}
