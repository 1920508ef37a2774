import type { ControlCommand } from "../../docs-service/control.ts"
import { steer, wordsOf } from "../model/api.ts"
import { usePage } from "../model/context.ts"

/** Gives the service an order; the answer shows in its state, a refusal as a word to the person. */
export function useSteer(): (command: ControlCommand) => void {
  const { notify } = usePage()
  return (command) => {
    steer(command).catch((error: unknown) => notify(wordsOf(error)))
  }
}
