import { useCallback, useEffect, useMemo, useReducer, useState } from "preact/hooks"
import { ConfirmProvider } from "../modal/confirm.tsx"
import { ModalHost } from "../modal/modal.tsx"
import { useConnection } from "../model/connection.ts"
import { type Page, PageContext } from "../model/context.ts"
import type { Model } from "../model/model.ts"
import { channelsOf, people } from "../model/selectors.ts"
import { fromHash, reduceView, toHash, type ViewState } from "../model/view-state.ts"
import { Frame } from "./frame.tsx"
import { Toast } from "./toast.tsx"

export function App() {
  const { model, connected } = useConnection()
  return model ? <Workspace model={model} connected={connected} /> : null
}

function Workspace({ model, connected }: { model: Model; connected: boolean }) {
  const [view, dispatch] = useReducer(reduceView, model, firstView)
  const [toast, setToast] = useState<{ text: string; at: number } | undefined>()
  const notify = useCallback((text: string) => setToast({ text, at: Date.now() }), [])
  useEffect(() => history.replaceState(null, "", toHash(view)), [view])
  const page = useMemo<Page>(() => ({ model, view, dispatch, notify }), [model, view, notify])
  return (
    <PageContext.Provider value={page}>
      <ConfirmProvider>
        <Frame connected={connected} />
        <ModalHost />
        <Toast toast={toast} />
      </ConfirmProvider>
    </PageContext.Provider>
  )
}

/** Returns the view in the page's address, or else the first person in their first channel. */
function firstView(model: Model): ViewState {
  const wanted = fromHash(location.hash)
  const everybody = people(model)
  const me = everybody.find((user) => user.id === wanted.me)?.id ?? everybody[0]?.id ?? ""
  const home = channelsOf(model, me)[0]?.id ?? ""
  const known = wanted.place?.kind === "home" || model.channels.has(wanted.place?.id ?? "")
  const place = known && wanted.place ? wanted.place : { kind: "channel" as const, id: home }
  const { thread } = wanted
  return {
    me,
    place,
    thread,
    shown: undefined,
    drawer: false,
  }
}
