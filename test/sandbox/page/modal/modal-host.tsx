import { later } from "../later/later.tsx"
import { usePage } from "../model/context.ts"

const Modal = later((parts) => parts.Modal)

/** The topmost modal of the person one acts as. */
export function ModalHost() {
  const { model, view } = usePage()
  const top = model.modals[view.me]?.at(-1)
  return top ? <Modal key={`${view.me} ${top.id}`} modal={top} /> : null
}
