import type { RequestBody } from "../../workspace/requests.ts"
import { act } from "../model/api.ts"
import type { Surface } from "./surface.ts"

/** Where a click and a choice go to the bot at once; outside of a modal nothing is filled in. */
export function actingSurface(
  name: Surface["name"],
  as: string,
  target: RequestBody<"click">["target"],
): Surface {
  return {
    name,
    async press(place, value) {
      await act("click", { as, target, ...place, ...(value === undefined ? {} : { value }) })
    },
    async choose(place, option) {
      await act("select", { as, target, ...place, option })
    },
    filled: () => undefined,
    fill: () => {},
    error: () => undefined,
  }
}
