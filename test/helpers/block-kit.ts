import { houseRules } from "../sandbox/house-rules.ts"
import type { Json, JsonObject } from "../sandbox/kit/json.ts"
import { validateMessageBlocks, validateView } from "../sandbox/slack/index.ts"

/** Returns what Slack would reject in a message, and what it accepts but the bot must not send. */
export function checkMessage(message: object): string[] {
  const sent = JSON.parse(JSON.stringify(message)) as JsonObject & { blocks: JsonObject[] }
  return [
    ...validateMessageBlocks(sent.blocks).map((issue) => JSON.stringify(issue)),
    ...houseRules({ by: "chat.update", message: sent }),
  ]
}

/** Returns what Slack would reject in a form or Home tab. */
export function checkView(view: object): string[] {
  const sent = JSON.parse(JSON.stringify(view)) as Json
  return validateView(sent).map((issue) => JSON.stringify(issue))
}
