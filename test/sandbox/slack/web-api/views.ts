import { z } from "zod"
import { isObject, type Json, type JsonObject } from "../../kit/json.ts"
import { formatIssue } from "../block-kit/issue.ts"
import { validateView } from "../block-kit/validate.ts"
import type { Core } from "../core.ts"
import { viewObject } from "../interaction/view-object.ts"
import type { View } from "../workspace/model.ts"
import { openModal, publishHome } from "../workspace/views.ts"
import { ApiError } from "./api-error.ts"
import { checkArguments, invalidArguments } from "./arguments.ts"
import { misplacedChoices } from "./initial-conversations.ts"
import type { Method } from "./method.ts"
import { tier4 } from "./rate-limits.ts"
import { id, json } from "./schemas.ts"

const triggered = z.object({ trigger_id: id, view: json })

export const viewsOpen: Method = {
  token: "bot",
  scopes: [],
  limit: tier4,
  run(core, args) {
    const { trigger_id, view } = checkArguments(triggered, args)
    const payload = checkView(core, view, "modal")
    return shown(core, openModal(core.workspace, core.triggers.use(trigger_id), payload))
  },
}

const published = z.object({ user_id: id, view: json })

export const viewsPublish: Method = {
  token: "bot",
  scopes: [],
  limit: tier4,
  run(core, args) {
    const { user_id, view } = checkArguments(published, args)
    if (!core.workspace.users.has(user_id)) throw new ApiError("user_not_found")
    return shown(core, publishHome(core.workspace, user_id, checkView(core, view, "home")))
  },
}

/** Returns the bot's view, validated as by Slack. @throws ApiError `invalid_arguments`. */
function checkView(core: Core, view: Json | undefined, type: View["type"]): JsonObject {
  if (!isObject(view)) throw invalidArguments(["must provide an object [json-pointer:/view]"])
  if (view.type !== type) throw invalidArguments([`must be ${type} [json-pointer:/view/type]`])
  const faults = [
    ...validateView(view, core.settings.refusals.at({ isPrivate: false })),
    ...misplacedChoices(core.workspace, view),
  ]
  if (faults.length > 0) throw invalidArguments(faults.map(formatIssue))
  core.note({ by: `${type} view`, view })
  return view
}

function shown(core: Core, view: View): JsonObject {
  return { view: viewObject(core.workspace, view) }
}
