import { SlackError } from "../slack/errors.ts"
import type { Message } from "../slack/message.ts"
import type { Rungs } from "./ports.ts"
import { type Rung, rungs } from "./rung.ts"

/** What Slack says of blocks that a workspace does not take. */
const REFUSALS = new Set(["invalid_blocks", "invalid_blocks_format", "msg_blocks_too_long"])

/**
 * Sends a message as rich as the workspace takes it. What was refused is not tried again there for
 * a day, so a workspace without charts costs one failed attempt a day and not one per report.
 */
export async function sendDown<T>(
  memory: Rungs,
  team: string,
  message: (rung: Rung) => Message,
  send: (message: Message) => Promise<T>,
): Promise<T> {
  const start = (await memory.of(team)) ?? "chart"
  let refused: unknown
  for (const rung of rungs.slice(rungs.indexOf(start))) {
    try {
      const sent = await send(message(rung))
      if (rung !== start) await memory.remember(team, rung)
      return sent
    } catch (error) {
      if (!(error instanceof SlackError && REFUSALS.has(error.code))) throw error
      refused = error
    }
  }
  throw refused
}
