import type { Channel, User } from "../workspace/model.ts"

/** Checks access. @throws Error if Slack would give this person no message box in the channel. */
export function requireSpeaker(user: User, channel: Channel): void {
  const name = channel.name === "" ? channel.id : `#${channel.name}`
  if (channel.archived) throw new Error(`${name} is archived: no one can post there`)
  if (channel.members.has(user.id)) return
  throw new Error(`${user.realName} is not in ${name}: add them or choose another channel`)
}
