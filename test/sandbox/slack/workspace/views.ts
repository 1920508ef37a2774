import { type JsonObject, objectsIn } from "../json.ts"
import { withIds } from "./block-ids.ts"
import { newId } from "./ids.ts"
import type { View } from "./model.ts"
import type { Workspace } from "./workspace.ts"

/** Slack stacks at most three modals. */
const STACK = 3

/** Shows a modal in place of any that are open. */
export function openModal(workspace: Workspace, user: string, payload: JsonObject): View {
  const view = compose(workspace, user, "modal", payload, undefined)
  return setStack(workspace, user, [view], view)
}

/** Puts a modal on top; undefined if the stack is full or empty. */
export function pushModal(
  workspace: Workspace,
  user: string,
  payload: JsonObject,
): View | "full" | "empty" {
  const stack = workspace.modals.get(user) ?? []
  const below = stack.at(-1)
  if (below === undefined) return "empty"
  if (stack.length >= STACK) return "full"
  const view = compose(workspace, user, "modal", payload, below)
  return setStack(workspace, user, [...stack, view], view)
}

/** Replaces what a view shows; it keeps its id and place. What people filled in stays. */
export function updateView(workspace: Workspace, view: View, payload: JsonObject): View {
  const updated = { ...view, hash: newHash(workspace), payload: filled(payload) }
  if (view.type === "home") {
    workspace.homes.set(view.user, updated)
    workspace.changes.emit({ type: "home_changed", user: view.user })
    return updated
  }
  const stack = workspace.modals.get(view.user) ?? []
  const replaced = stack.map((one) => (one.id === view.id ? updated : one))
  return setStack(workspace, view.user, replaced, updated)
}

export function publishHome(workspace: Workspace, user: string, payload: JsonObject): View {
  const known = workspace.homes.get(user)
  if (known !== undefined) return updateView(workspace, known, payload)
  const view = compose(workspace, user, "home", payload, undefined)
  workspace.homes.set(user, view)
  workspace.changes.emit({ type: "home_changed", user })
  return view
}

/** Closes the topmost modal, or all of them. */
export function closeModals(workspace: Workspace, user: string, all: boolean): void {
  const stack = all ? [] : (workspace.modals.get(user) ?? []).slice(0, -1)
  workspace.modals.set(user, stack)
  workspace.changes.emit({ type: "modal_changed", user })
}

export function topModal(workspace: Workspace, user: string): View | undefined {
  return workspace.modals.get(user)?.at(-1)
}

/** Any open view, by its id or by the external id the bot gave it. */
export function findView(
  workspace: Workspace,
  wanted: { id?: string | undefined; externalId?: string | undefined },
): View | undefined {
  const views = [...workspace.homes.values(), ...[...workspace.modals.values()].flat()]
  return views.find((view) =>
    wanted.id === undefined
      ? view.payload.external_id === wanted.externalId
      : view.id === wanted.id,
  )
}

function setStack(workspace: Workspace, user: string, stack: View[], changed: View): View {
  workspace.modals.set(user, stack)
  workspace.changes.emit({ type: "modal_changed", user })
  return changed
}

function compose(
  workspace: Workspace,
  user: string,
  type: View["type"],
  payload: JsonObject,
  below: View | undefined,
): View {
  const id = newId("V")
  const rootId = below?.rootId ?? id
  const hash = newHash(workspace)
  return { id, type, user, hash, rootId, previousId: below?.id, payload: filled(payload) }
}

function filled(payload: JsonObject): JsonObject {
  return { ...payload, blocks: withIds(objectsIn(payload.blocks)) }
}

function newHash(workspace: Workspace): string {
  return `${Math.floor(workspace.now() / 1000)}.${newId("", 8)}`
}
