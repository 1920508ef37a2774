import { compact, type JsonObject, objectsIn } from "../../kit/json.ts"
import type { View } from "../workspace/model.ts"
import type { Workspace } from "../workspace/workspace.ts"
import { stateValues } from "./surface-state.ts"

/** Returns a view as the Web API and interaction payloads show it. */
export function viewObject(workspace: Workspace, view: View): JsonObject {
  const { payload } = view
  const isModal = view.type === "modal"
  return compact({
    id: view.id,
    team_id: workspace.team.id,
    app_id: workspace.bot.appId,
    app_installed_team_id: workspace.team.id,
    bot_id: workspace.bot.botId,
    type: view.type,
    title: isModal ? payload.title : { type: "plain_text", text: "View Title", emoji: true },
    submit: payload.submit ?? null,
    close: payload.close ?? null,
    blocks: payload.blocks ?? [],
    private_metadata: payload.private_metadata ?? "",
    callback_id: payload.callback_id ?? "",
    external_id: payload.external_id ?? "",
    state: { values: stateValues(workspace, viewSurface(view)) },
    hash: view.hash,
    clear_on_close: false,
    notify_on_close: false,
    root_view_id: view.id,
    previous_view_id: null,
  })
}

export function viewSurface(view: View) {
  return { key: view.id, blocks: objectsIn(view.payload.blocks) }
}
