import { useCallback, useEffect, useMemo, useState } from "preact/hooks"
import { ModalHost } from "../modal/modal.tsx"
import { wordsOf } from "../model/api.ts"
import { useConnection } from "../model/connection.ts"
import { type Model, type Page, PageContext } from "../model/model.ts"
import { channelsOf, people } from "../model/selectors.ts"
import { CLOSED, fromHash, toHash, type ViewState } from "../model/view-state.ts"
import { Frame } from "./frame.tsx"

/** Time in ms for which a notice is shown. */
const SHOWN_MS = 5000

export function App() {
  const { model, connected } = useConnection()
  return model ? <Workspace model={model} connected={connected} /> : null
}

function Workspace({ model, connected }: { model: Model; connected: boolean }) {
  const [view, setView] = useState(() => firstView(model))
  const show = useCallback(
    (next: Partial<ViewState>) => setView((before) => ({ ...before, ...next })),
    [],
  )
  const [toast, setToast] = useState<{ text: string } | undefined>()
  const notify = useCallback((text: string) => setToast({ text }), [])
  useEffect(() => {
    const timer = setTimeout(() => setToast(undefined), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [toast])
  useEffect(() => history.replaceState(null, "", toHash(view)), [view])
  const attempt = useCallback(async (doing: Promise<unknown>) => {
    await doing.catch((error: unknown) => notify(wordsOf(error)))
  }, [])
  const page = useMemo<Page>(
    () => ({ model, view, show, notify, attempt }),
    [model, view, notify, attempt],
  )
  return (
    <PageContext.Provider value={page}>
      <Frame connected={connected} />
      <ModalHost />
      <div class="toast" role="status">
        {toast ? <p>{toast.text}</p> : null}
      </div>
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
  return { ...CLOSED, me, place, thread: wanted.thread }
}
