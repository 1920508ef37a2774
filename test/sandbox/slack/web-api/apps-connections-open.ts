import type { Method } from "./method.ts"
import { tier1 } from "./rate-limits.ts"

/** Returns the address of one Socket Mode connection. */
export const appsConnectionsOpen: Method = {
  token: "app",
  scopes: [],
  limit: tier1,
  run(core) {
    return { url: core.sockets.ticketUrl() }
  },
}
