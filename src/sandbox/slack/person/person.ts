import type { Core } from "../core.ts"
import { userOf } from "../workspace/workspace.ts"
import { type CommandResult, runCommand } from "./slash.ts"

/** Someone in the workspace, doing only what Slack's own client would let them do. */
export interface Person {
  readonly id: string
  /** Types `command` (with its slash) and `text` into a channel. */
  slash(channel: string, command: string, text?: string): Promise<CommandResult>
}

/** @throws Error, if there is no such person. */
export function createPerson(core: Core, userId: string): Person {
  const user = userOf(core.workspace, userId)
  return {
    id: user.id,
    slash: (channel, command, text = "") => runCommand(core, user, channel, command, text),
  }
}
