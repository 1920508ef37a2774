import type { ComponentChildren } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"

interface DialogProps {
  readonly class: string
  readonly labelledBy: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

export function Dialog({ class: name, labelledBy, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  // Before the effects inside: a field can't take the focus in a closed dialog, and opening focuses
  // the first button.
  useLayoutEffect(() => {
    const element = dialog.current
    const before = document.activeElement
    element?.showModal()
    return () => {
      element?.close()
      if (!(before instanceof HTMLElement)) return
      // It was still inert when closing focused it: it would receive keys, but no text.
      before.blur()
      before.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      class={`dialog ${name}`}
      aria-labelledby={labelledBy}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      {children}
    </dialog>
  )
}
