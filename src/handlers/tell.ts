import type { Message } from "../ports/message.ts"
import type { Caller } from "../slack/payload-fields.ts"
import type { AgentDeps } from "./deps.ts"

/** Privately to the person who typed or clicked, in the same place. @param replace what was clicked */
export async function tell(
  { outbound }: Pick<AgentDeps, "outbound">,
  { user, channel, thread, replyUrl }: Caller,
  message: Message,
  replace = false,
): Promise<void> {
  if (replyUrl) return outbound.respond(replyUrl, message, { replace })
  if (channel) return outbound.whisper({ channel, thread, user }, message)
  await outbound.direct(user, message)
}
