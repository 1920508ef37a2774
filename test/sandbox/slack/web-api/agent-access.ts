import type { Core } from "../core.ts"
import type { Channel, User } from "../workspace/model.ts"
import { botIsIn } from "../workspace/workspace.ts"
import { ApiError } from "./api-error.ts"
import { requireScope, visibleChannel } from "./channels.ts"

/**
 * Checks the agent features. "Only apps declared as agents in the app settings can create sessions.
 * Declaring an app as an agent adds the `assistant:write` scope to it" (Agent sessions). The error
 * for other apps is undocumented; Slack was seen to return `not_authorized`, as for a channel the
 * app isn't in.
 * @throws ApiError `feature_disabled`, `not_authorized` or `missing_scope`.
 */
export function requireAgent(core: Core): void {
  if (core.settings.agent === "disabled") throw new ApiError("feature_disabled")
  if (core.settings.agent === "undeclared") throw new ApiError("not_authorized")
  requireScope(core, "assistant:write")
}

/**
 * Returns a session's channel: "Your app must be a member of the channel specified in
 * `channel_id`", which `chat:write.public` doesn't replace.
 * @throws ApiError `not_authorized`: "The caller is not a member of the specified channel", or
 * `channel_not_found`: it "does not exist or is not accessible", as if archived.
 */
export function sessionChannel(core: Core, id: string): Channel {
  const channel = visibleChannel(core, id)
  if (channel.archived) throw new ApiError("channel_not_found")
  if (!botIsIn(core.workspace, channel)) throw new ApiError("not_authorized")
  return channel
}

/**
 * Returns false for a guest if the app is an agent: "Workspace guests are not permitted to access
 * apps with the Agents feature enabled".
 */
export function mayUseAgent(core: Core, user: User): boolean {
  return core.settings.agent !== "declared" || user.role !== "guest"
}
