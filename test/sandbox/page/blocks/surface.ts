import { createContext } from "preact"
import { useContext } from "preact/hooks"
import type { JsonObject } from "../../kit/json.ts"
import type { Filling } from "../../slack/interaction/element-state.ts"

/** Where blocks stand: it decides what pressing and choosing does. */
export interface Surface {
  readonly name: "message" | "modal" | "home"
  /** @throws ApiError when the bot did not take it. */
  press(place: ElementPlace, value?: string): Promise<void>
  /** @throws ApiError when the bot did not take it. */
  choose(place: ElementPlace, option: Filling): Promise<void>
  /** What somebody filled in, for elements of input blocks; undefined before that. */
  filled(block: string): Filling | undefined
  fill(block: string, value: Filling): void
  /** What is wrong with an input. */
  error(block: string): string | undefined
}

interface ElementPlace {
  readonly block: string
  readonly action: string
}

/** What every element needs to know. */
export interface ElementProps {
  readonly element: JsonObject
  readonly block: string
  /** The input block's label and hint, for an element inside one. */
  readonly field?: FieldIds
}

interface FieldIds {
  readonly id: string
  readonly describedBy: string | undefined
  readonly invalid: boolean
  readonly required: boolean
}

export const SurfaceContext = createContext<Surface | undefined>(undefined)

/** @throws Error outside of a message, modal or Home tab. */
export function useSurface(): Surface {
  const surface = useContext(SurfaceContext)
  if (surface === undefined) throw new Error("Blocks belong on a surface")
  return surface
}
