import { z } from "zod"
import { userObject } from "../workspace/api-objects.ts"
import { ApiError } from "./api-error.ts"
import { checkArguments } from "./arguments.ts"
import type { Method } from "./method.ts"
import { tier4 } from "./rate-limits.ts"
import { id } from "./schemas.ts"

export const usersInfo: Method = {
  token: "bot",
  scopes: ["users:read"],
  limit: tier4,
  run(core, args) {
    const { user: userId } = checkArguments(z.object({ user: id }), args)
    const user = core.workspace.users.get(userId)
    if (user === undefined) throw new ApiError("user_not_found")
    return { user: userObject(user) }
  },
}
