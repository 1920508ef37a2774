import { type JsonObject, objectsIn } from "../../kit/json.ts"
import { newId, withIds } from "./ids.ts"
import type { View } from "./model.ts"
import type { Workspace } from "./workspace.ts"

export function openModal(workspace: Workspace, user: string, payload: JsonObject): View {
  const view = compose(workspace, user, "modal", payload)
  workspace.modals.set(user, view)
  workspace.changes.emit({ type: "changed" })
  return view
}

export function publishHome(workspace: Workspace, user: string, payload: JsonObject): View {
  const known = workspace.homes.get(user)
  const view = known
    ? { ...known, hash: newHash(workspace), payload: filled(payload) }
    : compose(workspace, user, "home", payload)
  workspace.homes.set(user, view)
  workspace.changes.emit({ type: "changed" })
  return view
}

export function closeModal(workspace: Workspace, user: string): void {
  workspace.modals.delete(user)
  workspace.changes.emit({ type: "changed" })
}

function compose(
  workspace: Workspace,
  user: string,
  type: View["type"],
  payload: JsonObject,
): View {
  const id = newId("V")
  const hash = newHash(workspace)
  return { id, type, user, hash, payload: filled(payload) }
}

function filled(payload: JsonObject): JsonObject {
  return { ...payload, blocks: withIds(objectsIn(payload.blocks)) }
}

function newHash(workspace: Workspace): string {
  return `${Math.floor(workspace.now() / 1000)}.${newId("", 8)}`
}
