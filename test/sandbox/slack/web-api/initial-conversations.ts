import { isObject, type JsonObject, stringIn } from "../../kit/json.ts"
import type { Issue } from "../block-kit/issue.ts"
import { walk } from "../block-kit/walk.ts"
import type { Channel } from "../workspace/model.ts"
import type { Workspace } from "../workspace/workspace.ts"

/**
 * Returns conversations that are "to be pre-selected when the menu loads" although "filter", which
 * reduces "the list of options", excludes them (Conversations select).
 */
export function misplacedChoices(workspace: Workspace, view: JsonObject): Issue[] {
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
