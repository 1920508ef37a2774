import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks"
import { ModalHost } from "../modal/modal.tsx"
import { wordsOf } from "../model/api.ts"
import { useConnection } from "../model/connection.ts"
import { type Model, type Page, PageContext } from "../model/model.ts"
import { channelsOf, people } from "../model/selectors.ts"
import { CLOSED, fromHash, toHash, type ViewState } from "../model/view-state.ts"
import { Frame } from "./frame.tsx"

/** Time in ms for which a notice is shown. */
const SHOWN_MS = 8000

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
  const [notice, setNotice] = useState<{ text: string } | undefined>()
  const notify = useCallback((text: string) => setNotice({ text }), [])
  useEffect(() => history.replaceState(null, "", toHash(view)), [view])
  const attempt = useCallback(async (doing: Promise<unknown>) => {
    try {
      await doing
      return true
    } catch (error) {
      notify(wordsOf(error))
      return false
    }
  }, [])
  const page = useMemo<Page>(
    () => ({ model, view, show, notify, attempt }),
    [model, view, notify, attempt],
  )
  return (
    <PageContext.Provider value={page}>
      <Frame connected={connected} />
      <ModalHost />
      <Toast notice={notice} />
    </PageContext.Provider>
  )
}

/** Shows a notice for a while, in the browser's top layer: a form would cover it. */
function Toast({ notice }: { notice: { readonly text: string } | undefined }) {
  const toast = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (notice === undefined) return
    toast.current?.showPopover()
    const timer = setTimeout(() => toast.current?.hidePopover(), SHOWN_MS)
    return () => {
      clearTimeout(timer)
      toast.current?.hidePopover()
    }
  }, [notice])
  return (
    <div ref={toast} class="toast" role="alert" popover="manual">
      {notice?.text}
    </div>
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
