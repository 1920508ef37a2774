import { z } from "zod"
import { checkArguments } from "./arguments.ts"
import { requireScope, visibleChannel } from "./channels.ts"
import type { Method } from "./method.ts"
import { tier3 } from "./rate-limits.ts"
import { id } from "./schemas.ts"

/** Scopes of which "conversations.info" demands the one of the channel's kind. */
const scopes = {
  public: "channels:read",
  private: "groups:read",
  im: "im:read",
  mpim: "mpim:read",
} as const

/** Returns what a channel is: "is_private means the conversation is privileged". */
export const conversationsInfo: Method = {
  token: "bot",
  scopes: Object.values(scopes),
  limit: tier3,
  run(core, args) {
    const asked = checkArguments(z.object({ channel: id }), args)
    const { id: channel, kind, name } = visibleChannel(core, asked.channel)
    requireScope(core, scopes[kind])
    return {
      channel: {
        id: channel,
        name,
        is_channel: kind === "public" || kind === "private",
        is_group: false,
        is_im: kind === "im",
        is_mpim: kind === "mpim",
        is_private: kind !== "public",
      },
    }
  },
}
