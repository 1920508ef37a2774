import { ADA, DOCS } from "../sandbox/slack/seed/ids.ts"
import { said, useVisitors, type VisitorsBed } from "./visitors.ts"

/** Test beds whose channel gets digests. */
export function useDigests() {
  const bed = useVisitors()

  /** A channel with a daily digest at 14:00 in Paris, which is 13:00 in UTC. */
  async function daily(options: Parameters<typeof bed>[0] = {}, channel = DOCS) {
    const h = await bed(options)
    await type(h, "subscribe daily at 14:00", { channel })
    return h
  }
  return { bed, daily }
}

/** Types a command, and waits for what the channel hears of it. */
export async function type(h: VisitorsBed, words: string, { user = ADA, channel = DOCS } = {}) {
  const before = said(h, channel).length
  await h.slack.as(user).slash(channel, "/docs-visitors", words)
  await h.slack.until(() => said(h, channel).length > before)
}

export const digests = (h: VisitorsBed, channel = DOCS) =>
  said(h, channel).filter(({ text }) => text.startsWith("Docs traffic "))
