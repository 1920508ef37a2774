import { createContext } from "preact"
import { useContext } from "preact/hooks"
import type { JsonObject } from "../../kit/json.ts"
import type { RequestBody } from "../../workspace/requests.ts"
import { act } from "../model/api.ts"

export interface Surface {
  press(place: ElementPlace): Promise<void>
  choose(place: ElementPlace, option: string): Promise<void>
  filled(block: string): string | undefined
  fill(block: string, value: string): void
  error(block: string): string | undefined
}

interface ElementPlace {
  readonly block: string
  readonly action: string
}

export interface ElementProps {
  readonly element: JsonObject
  readonly block: string
  readonly field?: FieldIds
}

interface FieldIds {
  readonly id: string
  readonly describedBy: string | undefined
  readonly invalid: boolean
  readonly required: boolean
}

export const SurfaceContext = createContext<Surface | undefined>(undefined)

export function useSurface(): Surface {
  const surface = useContext(SurfaceContext)
  if (surface === undefined) throw new Error("Blocks belong on a surface")
  return surface
}

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
