import { z } from "zod"
import { userObject } from "../workspace/api-objects.ts"
import { ApiError } from "./api-error.ts"
import { checkArguments } from "./arguments.ts"
import { cursorAt, positionOf } from "./conversation-history.ts"
import type { Method } from "./method.ts"
import { tier2, tier4 } from "./rate-limits.ts"
import { count, id } from "./schemas.ts"

export const usersInfo: Method = {
  token: "bot",
  scopes: ["users:read"],
  limit: tier4,
  run(core, args) {
    const { user: userId } = checkArguments(z.object({ user: id }), args)
    const user = core.workspace.users.get(userId)
    if (user === undefined) throw new ApiError("user_not_found")
    return { user: userObject(user, core.workspace.now()) }
  },
}

const page = z.object({ cursor: z.string().optional(), limit: count.max(1000).default(200) })

export const usersList: Method = {
  token: "bot",
  scopes: ["users:read"],
  limit: tier2,
  run(core, args) {
    const { cursor, limit } = checkArguments(page, args)
    const start = cursor ? positionOf(cursor) : 0
    const now = core.workspace.now()
    const users = [...core.workspace.users.values()].filter((user) => user.role !== "external")
    const next_cursor = start + limit < users.length ? cursorAt(start + limit) : ""
    return {
      members: users.slice(start, start + limit).map((user) => userObject(user, now)),
      response_metadata: { next_cursor },
    }
  },
}
