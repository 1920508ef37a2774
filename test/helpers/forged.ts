import { objectsIn } from "../sandbox/kit/json.ts"
import { DOCS, type LocalSlack, type Message } from "../sandbox/slack/index.ts"

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
  const own = await slack.as(user).slash(DOCS, "/docs-agent", "help")
  const payload = {
    type: "block_actions",
    user: { id: user, team_id: "T0LOCAL001" },
    team: { id: "T0LOCAL001" },
    channel: { id: DOCS },
    response_url: own.payload.response_url,
    actions: [{ action_id: action, block_id: "b", type: "button", value: held(message, action) }],
  }
  await slack.deliver(new URLSearchParams({ payload: JSON.stringify(payload) }).toString(), {
    headers: { "content-type": "application/x-www-form-urlencoded" },
  })
}

function held(message: Pick<Message, "blocks">, action: string): unknown {
  const buttons = message.blocks.flatMap((block) => objectsIn(block.elements))
  const button = buttons.find(({ action_id }) => action_id === action)
  if (!button?.value) throw new Error(`There is no ${action} to click`)
  return button.value
}
