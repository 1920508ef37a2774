import { z } from "zod"
import { isObject, type JsonObject, objectsIn, stringIn } from "../../kit/json.ts"
import { countChars } from "../block-kit/fields.ts"
import type { Core } from "../core.ts"
import { type Acknowledgement, dispatch, interactionParts } from "../delivery/delivery.ts"
import { untilIn } from "../wait.ts"
import type { View } from "../workspace/model.ts"
import { closeModal } from "../workspace/workspace.ts"
import { elementsOf, fillIn, isFilled, stateOf, viewObject, viewSurface } from "./inputs.ts"
import type { Actor } from "./target.ts"

/** Error messages shown under inputs, by block id. */
export type InputErrors = Readonly<Record<string, string>>

interface Submission {
  /** True if the bot accepted the values. */
  readonly accepted: boolean
  readonly errors: InputErrors
  /** Source of the errors; with `client`, Slack's own checks failed and the bot got nothing. */
  readonly refusedBy: "client" | "bot" | undefined
}

/** Values of inputs, by action id or block id. */
type Values = Readonly<Record<string, string>>

/** Waits for the modal, fills it in and submits it. @throws Error if it has no such input. */
export async function submitModal({ core, user }: Actor, values: Values = {}): Promise<Submission> {
  const view = await untilIn(core, () => core.workspace.modals.get(user.id))
  if (!isObject(view.payload.submit)) throw new Error("This modal has no button to submit it")
  fillInAll(core, view, values)
  const errors = clientErrors(core, view)
  if (Object.keys(errors).length > 0) return { accepted: false, errors, refusedBy: "client" }
  const payload = {
    type: "view_submission",
    ...interactionParts(core, user),
    trigger_id: core.triggers.create(user.id),
    view: viewObject(core.workspace, view),
    response_urls: [],
  }
  const answer = await dispatch(core, { kind: "interactive", payload })
  return answerSubmission(core, view, answer)
}

/** Types into the modal without submitting it. */
function fillInAll({ workspace }: Core, view: View, values: Values): void {
  const surface = viewSurface(view)
  const placed = elementsOf(surface.blocks)
  for (const [name, filling] of Object.entries(values)) {
    const element =
      placed.find((one) => one.actionId === name) ?? placed.find((one) => one.blockId === name)
    if (element === undefined) {
      const known = placed.map((one) => one.actionId).join(", ")
      throw new Error(`The modal has no input "${name}"; it has ${known || "none"}`)
    }
    fillIn(workspace, surface, element, filling)
  }
}

/** Returns the errors that Slack's client reports without calling the bot. */
function clientErrors(core: Core, view: View): InputErrors {
  const surface = viewSurface(view)
  const errors: Record<string, string> = {}
  for (const placed of elementsOf(surface.blocks)) {
    if (placed.input === undefined) continue
    const state = stateOf(core.workspace, surface, placed) ?? {}
    const error = inputError(placed.input, placed.element, state)
    if (error !== undefined) errors[placed.blockId] = error
  }
  return errors
}

function inputError(input: JsonObject, element: JsonObject, state: JsonObject): string | undefined {
  if (!isFilled(state)) {
    return input.optional === true ? undefined : "Please complete this required field."
  }
  const length = countChars(stringIn(state, "value") ?? "")
  if (element.type !== "plain_text_input") return undefined
  const most = typeof element.max_length === "number" ? element.max_length : 3000
  return length > most ? "Please shorten this text." : undefined
}

/** Applies the response to a submission; an empty one closes the modal. */
function answerSubmission(core: Core, view: View, answer: Acknowledgement): Submission {
  if (!answer.ok) {
    return refused({ [firstBlock(view)]: "We had some trouble connecting. Try again?" })
  }
  if (!isObject(answer.body)) {
    closeModal(core.workspace, view.user)
    return accepted
  }
  const { response_action: action, errors } = answer.body
  if (action === "errors") return refused(texts.parse(errors))
  core.violations.push(`the answer to a submission asks for ${JSON.stringify(action)}`)
  return refused({ [firstBlock(view)]: "We had some trouble connecting. Try again?" })
}

const accepted: Submission = { accepted: true, errors: {}, refusedBy: undefined }

/** Errors by block id; none if the answer names them in another form. */
const texts = z.record(z.string(), z.string()).catch({})

function refused(errors: Record<string, string>): Submission {
  return { accepted: false, errors, refusedBy: "bot" }
}

function firstBlock(view: View): string {
  const [block = {}] = objectsIn(view.payload.blocks)
  return stringIn(block, "block_id") ?? ""
}
