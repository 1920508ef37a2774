import { SlackError } from "../errors/slack-error.ts"
import type { Command } from "../slack/payloads.ts"
import { auditMessage, auditUnsentMessage, noAuditMessage } from "../views/audit.ts"
import { adminsOnlyMessage, doctorMessage, examiningMessage } from "../views/doctor.ts"
import type { Reply } from "./answer.ts"
import type { AgentDeps } from "./deps.ts"
import { tell } from "./tell.ts"

/** `doctor` and `audit`: answers that take longer than Slack waits. */
export function adminReply(deps: AgentDeps, command: Command, word: "doctor" | "audit"): Reply {
  const { admin, rules } = deps
  if (!rules.admins.has(command.user)) return { ack: adminsOnlyMessage() }
  if (word === "doctor")
    return {
      ack: examiningMessage(),
      work: async () => tell(deps, command, doctorMessage(await admin.examine())),
    }
  const { sendAudit } = admin
  if (!sendAudit) return { ack: noAuditMessage() }
  return {
    ack: auditMessage(),
    work: () => sendAudit(command.user),
    sorry: (error) => (error instanceof SlackError ? auditUnsentMessage(error.code) : undefined),
  }
}
