import { type JsonObject, objectsIn } from "../../kit/json.ts"
import { elementsOf } from "../../slack/interaction/elements.ts"
import type { LocalSlack } from "../../slack/local-slack.ts"
import type { Target } from "../../slack/person/target.ts"
import { RequestError } from "../request-error.ts"

/**
 * Returns the index of this block's element among those with the same action id, which is needed if
 * an id occurs more than once.
 * @throws RequestError if there is no such element.
 */
export function indexOf(
  slack: LocalSlack,
  user: string,
  target: Target,
  wanted: { action: string; block: string | undefined },
): number | undefined {
  if (wanted.block === undefined) return undefined
  const same = elementsOf(blocksOf(slack, user, target)).filter(
    (placed) => placed.actionId === wanted.action,
  )
  const index = same.findIndex((placed) => placed.blockId === wanted.block)
  if (index >= 0) return index
  throw new RequestError(
    409,
    `"${wanted.action}" is no longer in block ${wanted.block}. Reload it and try again`,
  )
}

function blocksOf(slack: LocalSlack, user: string, target: Target): readonly JsonObject[] {
  if (target === "home") return objectsIn(slack.home(user)?.payload.blocks)
  if (target === "modal") return objectsIn(slack.modal(user)?.payload.blocks)
  const messages = [...slack.ephemerals(user), ...slack.channel(target.channel).all()]
  return messages.find((one) => one.ts === target.ts)?.blocks ?? []
}
