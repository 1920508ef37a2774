import type { SlackState } from "../slack/identity.ts"
import type { Job } from "./job.ts"

export function linkToCard(
  { permalink }: Pick<SlackState, "permalink">,
  { channel, card, thread }: Job,
): string | undefined {
  return card === undefined ? undefined : permalink(channel, card, thread)
}
