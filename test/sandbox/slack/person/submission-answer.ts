import type { Core } from "../core.ts"
import type { Acknowledgement } from "../delivery/delivery.ts"
import { isObject, type Json, stringIn } from "../json.ts"
import { ApiError } from "../web-api/api-error.ts"
import { checkView } from "../web-api/views.ts"
import type { View } from "../workspace/model.ts"
import { closeModals, pushModal, updateView } from "../workspace/views.ts"
import type { Submission } from "./modal.ts"

/** Does what the acknowledgement of a submission asks for: nothing closes the modal. */
export function answerSubmission(core: Core, view: View, answer: Acknowledgement): Submission {
  if (!answer.ok) {
    return refused({ [firstBlock(view)]: "We had some trouble connecting. Try again?" })
  }
  if (!isObject(answer.body)) {
    closeModals(core.workspace, view.user, false)
    return accepted
  }
  const { response_action: action, errors, view: next } = answer.body
  if (action === "errors") return refused(textsIn(errors))
  try {
    if (action === "clear") closeModals(core.workspace, view.user, true)
    else if (action === "update") updateView(core.workspace, view, checkView(core, next, "modal"))
    else if (action === "push") push(core, view, next)
    else throw new ApiError("invalid_response_action")
    return accepted
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const detail = JSON.stringify(error.details)
    core.violations.add(`the answer to a submission is refused by Slack: ${error.code} ${detail}`)
    return refused({ [firstBlock(view)]: "We had some trouble connecting. Try again?" })
  }
}

const accepted: Submission = { accepted: true, errors: {}, refusedBy: undefined }

function refused(errors: Record<string, string>): Submission {
  return { accepted: false, errors, refusedBy: "bot" }
}

function push(core: Core, view: View, next: Json | undefined): void {
  const pushed = pushModal(core.workspace, view.user, checkView(core, next, "modal"))
  if (pushed === "full") throw new ApiError("push_limit_reached")
}

function textsIn(errors: Json | undefined): Record<string, string> {
  if (!isObject(errors)) return {}
  return Object.fromEntries(
    Object.entries(errors).map(([block, text]) => [block, typeof text === "string" ? text : ""]),
  )
}

function firstBlock(view: View): string {
  const [block] = Array.isArray(view.payload.blocks) ? view.payload.blocks : []
  return isObject(block) ? (stringIn(block, "block_id") ?? "") : ""
}
