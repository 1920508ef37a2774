import type { ControlCommand } from "../../docs-service/control.ts"
import { sendControl, wordsOf } from "../model/api.ts"
import { usePage } from "../model/context.ts"

/** Returns a function that sends the service a command and shows its errors to the person. */
export function useControl(): (command: ControlCommand) => void {
  const { notify } = usePage()
  return (command) => {
    sendControl(command).catch((error: unknown) => notify(wordsOf(error)))
  }
}
