import type { ControlCommand } from "../../docs-service/control.ts"
import { sendControl, wordsOf } from "../model/api.ts"
import { usePage } from "../model/context.ts"

/** Gives the service an order; the answer shows in its state, a refusal as a word to the person. */
export function useControl(): (command: ControlCommand) => void {
  const { notify } = usePage()
  return (command) => {
    sendControl(command).catch((error: unknown) => notify(wordsOf(error)))
  }
}
