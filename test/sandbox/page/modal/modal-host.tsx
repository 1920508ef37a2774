import { usePage } from "../model/context.ts"
import { Modal } from "./modal.tsx"

/** The topmost modal of the person one acts as. */
export function ModalHost() {
  const { model, view } = usePage()
  const top = model.modals[view.me]?.at(-1)
  return top ? <Modal key={`${view.me} ${top.id}`} modal={top} /> : null
}
