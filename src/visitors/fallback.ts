import { SlackError } from "../errors/slack-error.ts"
import type { Message } from "../slack/message.ts"
import { type FallbackLevel, fallbackLevels } from "./fallback-level.ts"
import type { FallbackMemory } from "./ports.ts"

/** What Slack says of blocks that a workspace does not take. */
const REFUSALS = new Set(["invalid_blocks", "invalid_blocks_format", "msg_blocks_too_long"])

/**
 * Sends a message as rich as the workspace takes it. What was refused is not tried again there for
 * a day, so a workspace without charts costs one failed attempt a day and not one per report.
 */
export async function sendWithFallback<T>(
  memory: FallbackMemory,
  team: string,
  message: (level: FallbackLevel) => Message,
  send: (message: Message) => Promise<T>,
): Promise<T> {
  const start = (await memory.of(team)) ?? "chart"
  let refused: unknown
  for (const level of fallbackLevels.slice(fallbackLevels.indexOf(start))) {
    try {
      const sent = await send(message(level))
      if (level !== start) await memory.remember(team, level)
      return sent
    } catch (error) {
      if (!(error instanceof SlackError && REFUSALS.has(error.code))) throw error
      refused = error
    }
  }
  throw refused
}
