import type { MovableClock } from "../sandbox/clock/movable-clock.ts"
import type { LocalSlack } from "../sandbox/slack/local-slack.ts"
import { ADA, DOCS, EDITORS, SHARED } from "../sandbox/slack/seed/ids.ts"
import { PROJECTS } from "./timing.ts"

const CHANNELS = [DOCS, EDITORS, SHARED] as const
const MINUTE_MS = 60_000
/** As the local Slack has it in Ada's profile. */
const ZONE = "Europe/Paris"

/** Each channel gets a digest whose first one is due soon after, and its next a day later. */
export async function subscribeAll(slack: LocalSlack, clock: MovableClock): Promise<void> {
  const soon = new Date(clock.now() + MINUTE_MS)
  const time = soon.toLocaleTimeString("en-GB", { timeZone: ZONE, timeStyle: "short" })
  for (const channel of CHANNELS)
    await slack
      .as(ADA)
      .slash(channel, "/docs-visitors", `project=${PROJECTS[0]} subscribe daily at ${time}`)
}

/** How many digests came to each of the channels. */
export function digests(slack: LocalSlack): { channel: string; came: number }[] {
  return CHANNELS.map((channel) => {
    const messages = slack.channel(channel).all()
    return {
      channel,
      came: messages.filter(({ text }) => text.startsWith("Docs visitors,")).length,
    }
  })
}
