import { createContext, createElement, type FunctionComponent } from "preact"
import { useContext } from "preact/hooks"
import type { Parts } from "./parts.ts"

/** The parts whose script comes later, as far as the page has them. */
export interface Rest {
  readonly parts: Parts | undefined
  /** Called where one was to be drawn and is not here yet. */
  readonly miss: () => void
}

export const RestContext = createContext<Rest>({ parts: undefined, miss: () => {} })

/** A part that comes later, to be used like any component: draws nothing until it is here. */
export function later<P extends object>(
  pick: (parts: Parts) => FunctionComponent<P>,
): FunctionComponent<P> {
  return function Later(props: P) {
    const { parts, miss } = useContext(RestContext)
    if (parts) return createElement(pick(parts), props)
    miss()
    return null
  }
}
