import type { RequestBody } from "../../workspace/requests.ts"
import { act } from "../model/api.ts"
import type { Surface } from "./surface.ts"

/** Returns the surface of messages and Home, where clicks and choices reach the bot at once. */
export function actingSurface(as: string, target: RequestBody<"click">["target"]): Surface {
  return {
    async press(place) {
      await act("click", { as, target, ...place })
    },
    async choose(place, option) {
      await act("select", { as, target, ...place, option })
    },
    filled: () => undefined,
    fill: () => {},
    error: () => undefined,
  }
}
