import { z } from "zod"
import type { ChannelKind } from "../workspace/model.ts"
import { checkArguments } from "./arguments.ts"
import { requireScope, visibleChannel } from "./channels.ts"
import type { Method } from "./method.ts"
import { tier3 } from "./rate-limits.ts"
import { id } from "./schemas.ts"

const readScopes: Record<ChannelKind, string> = {
  public: "channels:read",
  private: "groups:read",
  im: "im:read",
  mpim: "mpim:read",
}

/** Returns facts on a conversation; `is_ext_shared`: "shared with an external organization". */
export const conversationsInfo: Method = {
  token: "bot",
  scopes: Object.values(readScopes),
  limit: tier3,
  run(core, args) {
    const { channel: asked } = checkArguments(z.object({ channel: id }), args)
    const { id: found, name, kind, sharedWith } = visibleChannel(core, asked)
    requireScope(core, readScopes[kind])
    const is_ext_shared = sharedWith.length > 0
    return { channel: { id: found, name, is_private: kind !== "public", is_ext_shared } }
  },
}
