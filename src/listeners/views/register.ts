import type { App } from "@slack/bolt"
import { ASK_MODAL } from "../../messages/modal.ts"
import { readForm } from "../../slack/interactions.ts"
import { deliveryOf } from "../../slack/payloads.ts"
import { answerForm, type RouteDeps } from "../answer.ts"
import { formFailed, submitForm } from "./form.ts"

export function registerViews(app: App, deps: RouteDeps): void {
  app.view({ callback_id: ASK_MODAL, type: "view_submission" }, async ({ body, context }) => {
    const form = readForm({ body, context })
    await answerForm(deps, deliveryOf(context), form, submitForm(deps.agent, form), formFailed)
  })
}
