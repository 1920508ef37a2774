import { readWords } from "../asking/parse-typed-text.ts"
import type { Reply } from "../asking/work-after-ack.ts"
import { askId } from "../jobs/job.ts"
import { helpMessage } from "../messages/help.ts"
import type { Command } from "../slack/payloads.ts"
import type { Verbs } from "./verbs.ts"

/** Listens to `/docs-agent`: its own words first, and every other text is a request. */
export async function docsAgent(verbs: Verbs, command: Command): Promise<Reply> {
  return (await answerOutcomes(verbs, command)) ?? answerTyped(verbs, command)
}

/** Answers `report` and `results`; undefined for a request, such as "report a wrong price". */
async function answerOutcomes({ outcomes }: Verbs, command: Command): Promise<Reply | undefined> {
  if (/^\s*report\b/i.test(command.typed)) return outcomes.report(command)
  return /^\s*results\b/i.test(command.typed) ? outcomes.results(command) : undefined
}

async function answerTyped({ ask, admins, forget }: Verbs, command: Command): Promise<Reply> {
  const { channel, user, replyUrl, triggerId } = command
  const typed = readWords(command.typed, "command")
  if ("words" in typed) {
    const delivery = `command:${triggerId}`
    const incoming = { channel, user, replyUrl, delivery, prompt: { words: "" } }
    return { ack: await ask.typed(incoming, typed), question: askId(delivery) }
  }
  // The bot opens the form at once, because Slack's trigger expires after three seconds.
  if (typed.kind === "blank") return { work: () => ask.openForm(command, {}, typed) }
  switch (typed.kind === "verb" && typed.verb) {
    case "help":
      return { ack: helpMessage() }
    // These verbs skip the gate: people who may no longer ask can have themselves forgotten, and an
    // admin can run the doctor when the gate itself is broken.
    case "forget-me":
      return forget(command)
    case "doctor":
      return admins.doctor(command)
    case "audit":
      return admins.audit(command)
    default:
      return ask.words(command, typed)
  }
}
