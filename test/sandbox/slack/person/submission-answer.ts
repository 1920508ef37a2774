import { isObject, type Json, stringIn } from "../../kit/json.ts"
import type { Core } from "../core.ts"
import type { Acknowledgement } from "../delivery/delivery.ts"
import type { View } from "../workspace/model.ts"
import { closeModal } from "../workspace/views.ts"
import type { Submission } from "./modal.ts"

/** Applies the response to a submission; an empty one closes the modal. */
export function answerSubmission(core: Core, view: View, answer: Acknowledgement): Submission {
  if (!answer.ok) {
    return refused({ [firstBlock(view)]: "We had some trouble connecting. Try again?" })
  }
  if (!isObject(answer.body)) {
    closeModal(core.workspace, view.user)
    return accepted
  }
  const { response_action: action, errors } = answer.body
  if (action === "errors") return refused(textsIn(errors))
  core.violations.push(`the answer to a submission asks for ${JSON.stringify(action)}`)
  return refused({ [firstBlock(view)]: "We had some trouble connecting. Try again?" })
}

const accepted: Submission = { accepted: true, errors: {}, refusedBy: undefined }

function refused(errors: Record<string, string>): Submission {
  return { accepted: false, errors, refusedBy: "bot" }
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
