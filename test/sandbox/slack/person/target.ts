import type { Core } from "../core.ts"
import type { Message, User, View } from "../workspace/model.ts"
import {
  elementsOf,
  labelOf,
  messageKey,
  type PlacedElement,
  type Surface,
  viewSurface,
} from "./inputs.ts"

/** Person who acts. */
export interface Actor {
  readonly core: Core
  readonly user: User
}

/** Any message, such as one from `messages()`, `thread()` or `ephemerals()`. */
export interface MessageRef {
  readonly channel: string
  readonly ts: string
}

/** Place of a click: a message, the Home tab or the topmost modal. */
export type Target = MessageRef | "home" | "modal"

export type Found =
  | { readonly kind: "message"; readonly message: Message; readonly surface: Surface }
  | { readonly kind: "view"; readonly view: View; readonly surface: Surface }

/** Returns the place of a click. @throws Error if this person can't see it now. */
export function findTarget(actor: Actor, target: Target): Found {
  const { core, user } = actor
  if (target === "home" || target === "modal") {
    const { workspace } = core
    const view = target === "home" ? workspace.homes.get(user.id) : workspace.modals.get(user.id)
    if (view === undefined) throw new Error(`${user.realName} has no ${target} open`)
    return { kind: "view", view, surface: viewSurface(view) }
  }
  const message = findMessage(actor, target)
  const key = messageKey(user.id, message.channel, message.ts)
  return { kind: "message", message, surface: { key, blocks: message.blocks } }
}

/** Returns the message as this person sees it. @throws Error if it is gone or not visible. */
export function findMessage({ core, user }: Actor, { channel, ts }: MessageRef): Message {
  const own = core.workspace.ephemerals.get(user.id)?.get(ts)
  const isMember = core.workspace.channels.get(channel)?.members.has(user.id) === true
  const message = own ?? (isMember ? core.workspace.messages.get(channel)?.get(ts) : undefined)
  if (message !== undefined && message.channel === channel) return message
  throw new Error(`${user.realName} can't see message ${ts} in ${channel}`)
}

/** Choice between elements with the same action id or text: the block's, or the n-th from 0. */
export interface Which {
  readonly block?: string | undefined
  readonly index?: number | undefined
}

/**
 * Returns the rendered element with this action id or, failing that, this text.
 * @throws Error with all rendered elements if none matches, or several do and `index` is missing.
 */
export function findElement(found: Found, wanted: string, { block, index }: Which): PlacedElement {
  const all = elementsOf(found.surface.blocks)
  const byId = all.filter((placed) => placed.actionId === wanted)
  const named = byId.length > 0 ? byId : all.filter((placed) => labelOf(placed.element) === wanted)
  const matching = named.filter(({ blockId }) => block === undefined || blockId === block)
  const element = matching[index ?? 0]
  if (element !== undefined && (index !== undefined || matching.length === 1)) return element
  const rendered = all.map((one) => `${one.actionId} "${labelOf(one.element)}"`).join(", ")
  const hint = matching.length > 1 ? "; choose one by index" : ""
  const count = `${matching.length} elements match "${wanted}"${hint}`
  throw new Error(`${count}; rendered: ${rendered || "none"}`)
}
