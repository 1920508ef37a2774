import { readWords } from "../../asking/read-text.ts"
import { helpMessage } from "../../messages/help.ts"
import { forgetQuestion, say } from "../../messages/private-answers.ts"
import { sendAudit } from "../../operating/audit.ts"
import { doctorMessage } from "../../operating/doctor/finding.ts"
import {
  REPORT_OFF,
  readReportCommand,
  reportFault,
  reportOutcomes,
} from "../../operating/report-outcomes.ts"
import { changeResults, readResultsCommand } from "../../pulls/results-channels.ts"
import { RESULTS_HOW } from "../../pulls/results-line.ts"
import type { Command } from "../../slack/payloads.ts"
import { currentTime } from "../../store/script.ts"
import { isFault } from "../../visitors/parse-range.ts"
import { dayOf } from "../../visitors/utc-day.ts"
import { actOnce, type Reply } from "../acknowledge.ts"
import { admitted, forAdmins } from "../admitted.ts"
import { acceptTyped } from "../answer-request.ts"
import { answerWords } from "../answer-words.ts"
import type { AgentDeps } from "../deps.ts"
import { offerForm } from "../views/ask-form.ts"

export async function docsAgent(deps: AgentDeps, command: Command): Promise<Reply> {
  const sub = (await answerReport(deps, command)) ?? answerResults(deps, command)
  return sub ?? answerTyped(deps, command)
}

/** Answers `report [range]`; undefined for any other text, such as "report a wrong price". */
async function answerReport(deps: AgentDeps, command: Command): Promise<Reply | undefined> {
  if (!/^\s*report\b/i.test(command.typed)) return undefined
  const range = readReportCommand(command.typed, dayOf(await currentTime(deps.context.store)))
  if (range === undefined) return undefined
  const report = admitted(async ({ context, visitors }) => {
    if (isFault(range)) return { ack: reportFault(range) }
    if (context.settings.auditDays === 0) return { ack: REPORT_OFF }
    return { work: () => reportOutcomes(visitors, command, range) }
  })
  return report(deps, command)
}

/** Answers `results on|off|list`; undefined for any other text, such as "results page is empty". */
function answerResults(deps: AgentDeps, command: Command): Promise<Reply> | undefined {
  const wish = readResultsCommand(command.typed)
  if (wish === undefined) return undefined
  const results = admitted(async ({ context }) => {
    if (wish === "unclear") return { ack: RESULTS_HOW }
    const change = async () => ({ ack: await changeResults(context, command, wish) })
    return actOnce(deps, command.triggerId, change)
  })
  return results(deps, command)
}

async function answerTyped(deps: AgentDeps, command: Command): Promise<Reply> {
  const { channel, user, replyUrl, triggerId } = command
  const typed = readWords(command.typed, "command")
  if ("words" in typed) {
    const delivery = `command:${triggerId}`
    const incoming = { channel, user, replyUrl, delivery, prompt: { words: "" } }
    return { ack: await acceptTyped(deps, incoming, typed) }
  }
  // The bot opens the form at once, because Slack's trigger expires after three seconds.
  if (typed.kind === "blank") return { work: () => offerForm(deps, command, {}, typed) }
  switch (typed.kind === "verb" && typed.verb) {
    case "help":
      return { ack: helpMessage() }
    // These verbs skip the gate: people who may no longer ask can have themselves forgotten, and an
    // admin can run the doctor when the gate itself is broken.
    case "forget-me":
      return { ack: forgetQuestion(await deps.forgetting.ask(user)) }
    case "doctor":
      return runDoctor(deps, command)
    case "audit":
      return prepareAudit(deps, command)
    default:
      return actOnce(deps, triggerId, async () => ({
        ack: await answerWords(deps, { channel, user }, typed),
      }))
  }
}

const runDoctor = forAdmins("do that", async ({ examine }) => ({
  ack: say("examining"),
  work: async () => doctorMessage(await examine()),
}))

const prepareAudit = forAdmins("do that", async ({ context }, { user }) =>
  context.settings.auditDays === 0
    ? { ack: say("audit_off") }
    : { ack: say("audit_preparing"), work: () => sendAudit(context, user) },
)
