import { randomUUID } from "node:crypto"
import { objectsIn } from "../sandbox/kit/json.ts"
import { ADA, DOCS, type LocalSlack, type Message } from "../sandbox/slack/index.ts"

/**
 * Clicks as a person to whom Slack's client does not show the message, with a valid signature. The
 * bot has to refuse it: an id in a button grants no permission. That person gets the replies.
 */
export async function clickOnAnothers(
  slack: LocalSlack,
  user: string,
  message: Pick<Message, "blocks">,
  action: string,
): Promise<void> {
  const buttons = message.blocks.flatMap((block) => objectsIn(block.elements))
  const button = buttons.find(({ action_id }) => action_id === action)
  if (!button?.value) throw new Error(`There is no ${action} to click`)
  const own = await slack.as(user).slash(DOCS, "/docs-agent", "help")
  await deliverClick({ slack }, action, button.value, {
    user,
    responseUrl: own.payload.response_url,
  })
}

/** Delivers a click on a button with this value, as if on a message of earlier. */
export function deliverClick(
  { slack }: { slack: LocalSlack },
  action: string,
  value: unknown,
  { user = ADA, responseUrl }: { user?: string; responseUrl?: unknown } = {},
) {
  const payload = JSON.stringify({
    type: "block_actions",
    user: { id: user },
    channel: { id: DOCS },
    trigger_id: randomUUID(),
    response_url: responseUrl,
    actions: [{ action_id: action, value }],
  })
  return slack.deliver(new URLSearchParams({ payload }).toString(), {
    headers: { "content-type": "application/x-www-form-urlencoded" },
  })
}
