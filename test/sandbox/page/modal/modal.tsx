import { useEffect, useId, useState } from "preact/hooks"
import { isObject, objectsIn } from "../../kit/json.ts"
import type { InputErrors, View } from "../../slack/index.ts"
import { Blocks } from "../blocks/blocks.tsx"
import { actingSurface, type Surface, SurfaceContext } from "../blocks/surface.ts"
import { wordsIn } from "../blocks/text-object.tsx"
import { act } from "../model/api.ts"
import { useBusyAttempt, usePage } from "../model/model.ts"
import { Icon } from "../shell/icon.tsx"
import { Dialog } from "./dialog.tsx"

type Values = { readonly [block: string]: string }

function Modal({ modal }: { modal: View }) {
  const { model, view } = usePage()
  const { me } = view
  const { busy, attempt } = useBusyAttempt()
  const titleId = useId()
  const [values, setValues] = useState<Values>({})
  const [errors, setErrors] = useState<InputErrors>({})
  const surface: Surface = {
    ...actingSurface(me, "modal"),
    filled: (block) => values[block],
    fill: (block, value) => setValues((before) => ({ ...before, [block]: value })),
    error: (block) => errors[block],
  }
  useFocusOnError(errors)
  const bot = model.bot
  const hasSubmit = isObject(modal.payload.submit)

  const send = () => {
    const answer = act("submit", { as: me, values })
    void attempt(answer.then(({ submission }) => setErrors(submission.errors)))
  }
  const close = () => void attempt(act("close-modal", { as: me }))

  return (
    <Dialog class="modal" labelledBy={titleId} onClose={close}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        <header>
          <h2 id={titleId}>{wordsIn(modal.payload.title)}</h2>
          <small>{bot?.realName}</small>
          <button type="button" class="icon-button" aria-label="Close" onClick={close}>
            <Icon name="close" />
          </button>
        </header>
        <div class="modal-body">
          <SurfaceContext.Provider value={surface}>
            <Blocks blocks={objectsIn(modal.payload.blocks)} />
          </SurfaceContext.Provider>
        </div>
        <footer>
          <button type="button" class="button button-plain" onClick={close}>
            {wordsIn(modal.payload.close) || "Cancel"}
          </button>
          {hasSubmit ? (
            <button type="submit" class="button button-primary" disabled={busy} aria-busy={busy}>
              {wordsIn(modal.payload.submit)}
            </button>
          ) : null}
        </footer>
      </form>
    </Dialog>
  )
}

/** Focuses the first invalid field, for people who can't see the red line. */
function useFocusOnError(errors: InputErrors): void {
  useEffect(() => {
    if (Object.keys(errors).length === 0) return
    document.querySelector<HTMLElement>("dialog [aria-invalid=true]")?.focus()
  }, [errors])
}

export function ModalHost() {
  const { model, view } = usePage()
  const open = model.modals[view.me]
  return open ? <Modal key={`${view.me} ${open.id}`} modal={open} /> : null
}
