import { createContext } from "preact"
import { useContext } from "preact/hooks"
import type { Model } from "./model.ts"
import type { ViewAction, ViewState } from "./view-state.ts"

export interface Page {
  readonly model: Model
  readonly view: ViewState
  readonly dispatch: (action: ViewAction) => void
  readonly notify: (text: string) => void
}

export const PageContext = createContext<Page | undefined>(undefined)

export function usePage(): Page {
  const page = useContext(PageContext)
  if (page === undefined) throw new Error("This part belongs inside a PageContext")
  return page
}
