import type { ComponentChildren } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"

interface DialogProps {
  readonly class: string
  readonly labelledBy: string
  readonly onClose: () => void
  /** Where one goes on at the end; where there is no such place, or without this, where one was. */
  readonly goOnAt?: (before: Element | null) => HTMLElement | null
  readonly children: ComponentChildren
}

export function Dialog({ class: name, labelledBy, onClose, goOnAt, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  // Before the effects inside: a field that wants the focus cannot take it in a closed dialog, and
  // opening gives it to the first button.
  useLayoutEffect(() => {
    const element = dialog.current
    const before = document.activeElement
    element?.showModal()
    return () => {
      element?.close()
      const next = goOnAt?.(before) ?? before
      if (!(next instanceof HTMLElement && next.isConnected)) return
      // Closing gave it the focus while it still was inert: it would take keys, and no letters.
      next.blur()
      next.focus()
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
