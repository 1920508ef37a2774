import { z } from "zod"
import { isObject, type Json, type JsonObject, stringIn } from "../../kit/json.ts"
import { formatIssue, type Issue, walk } from "../block-kit/issue.ts"
import { validateView } from "../block-kit/validate.ts"
import type { Core } from "../core.ts"
import { viewObject } from "../person/inputs.ts"
import type { Channel, View } from "../workspace/model.ts"
import { showView, type Workspace } from "../workspace/workspace.ts"
import { ApiError, checkArguments, id, invalidArguments, json, type Method } from "./method.ts"
import { tier4 } from "./rate-limits.ts"

const triggered = z.object({ trigger_id: id, view: json })

export const viewsOpen: Method = {
  limit: tier4,
  run(core, args) {
    const { trigger_id, view } = checkArguments(triggered, args)
    const payload = checkView(core, view, "modal")
    return show(core, core.triggers.use(trigger_id), payload)
  },
}

const published = z.object({ user_id: id, view: json })

export const viewsPublish: Method = {
  limit: tier4,
  run(core, args) {
    const { user_id, view } = checkArguments(published, args)
    if (!core.workspace.users.has(user_id)) throw new ApiError("user_not_found")
    return show(core, user_id, checkView(core, view, "home"))
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

function show({ workspace }: Core, user: string, payload: JsonObject): JsonObject {
  const type = payload.type === "home" ? "home" : "modal"
  return { view: viewObject(workspace, showView(workspace, user, type, payload)) }
}

/**
 * Returns conversations that are "to be pre-selected when the menu loads" although "filter", which
 * reduces "the list of options", excludes them (Conversations select).
 */
function misplacedChoices(workspace: Workspace, view: JsonObject): Issue[] {
  const issues: Issue[] = []
  walk(
    view,
    (element, pointer) => {
      if (element.type !== "conversations_select") return
      const id = stringIn(element, "initial_conversation")
      if (id === undefined) return
      const channel = workspace.channels.get(id)
      if (channel !== undefined && passes(channel, element.filter)) return
      const message = "must be a conversation that the filter lets through"
      issues.push({ pointer: `${pointer}/initial_conversation`, message })
    },
    "/view",
  )
  return issues
}

function passes(channel: Channel, filter: JsonObject[string] | undefined): boolean {
  if (!isObject(filter)) return true
  const { include } = filter
  return !Array.isArray(include) || include.includes(channel.kind)
}
