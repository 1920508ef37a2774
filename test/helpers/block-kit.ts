import type { Json, JsonObject } from "../sandbox/kit/json.ts"
import { validateMessageBlocks, validateView } from "../sandbox/slack/block-kit/validate.ts"
import { blockViolations, messageViolations } from "../sandbox/slack/house-rules.ts"

/** What Slack would refuse in a message, and what it would take but we would not send; none if good. */
export function checkMessage(message: object): string[] {
  const sent = JSON.parse(JSON.stringify(message)) as JsonObject & { blocks: JsonObject[] }
  return [
    ...validateMessageBlocks(sent.blocks).map((issue) => JSON.stringify(issue)),
    ...messageViolations(sent),
    ...blockViolations(sent.blocks),
  ]
}

/** What Slack would refuse in a form or Home tab; none if good. */
export function checkView(view: object): string[] {
  const sent = JSON.parse(JSON.stringify(view)) as Json
  return validateView(sent).map((issue) => JSON.stringify(issue))
}
