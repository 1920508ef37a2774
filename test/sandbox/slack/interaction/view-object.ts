import { compact, type JsonObject, objectsIn } from "../../kit/json.ts"
import type { View } from "../workspace/model.ts"
import type { Workspace } from "../workspace/workspace.ts"
import { stateValues } from "./surface-state.ts"

/** Returns a view as the Web API and interaction payloads show it. */
export function viewObject(workspace: Workspace, view: View): JsonObject {
  const { payload } = view
  return compact({
    id: view.id,
    team_id: workspace.team.id,
    app_id: workspace.bot.appId,
    type: view.type,
    title: payload.title,
    submit: payload.submit ?? null,
    close: payload.close ?? null,
    blocks: payload.blocks ?? [],
    private_metadata: payload.private_metadata ?? "",
    callback_id: payload.callback_id ?? "",
    state: { values: stateValues(workspace, viewSurface(view)) },
    hash: view.hash,
  })
}

export function viewSurface(view: View) {
  return { key: view.id, blocks: objectsIn(view.payload.blocks) }
}
