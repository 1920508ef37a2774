import type { ComponentChildren } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"

interface DialogProps {
  readonly class: string
  readonly labelledBy: string
  readonly onClose: () => void
  /** Returns the element to focus after closing; without one, the previous focus is restored. */
  readonly goOnAt?: (before: Element | null) => HTMLElement | null
  readonly children: ComponentChildren
}

export function Dialog({ class: name, labelledBy, onClose, goOnAt, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  // Before the effects inside: a field can't take the focus in a closed dialog, and opening focuses
  // the first button.
  useLayoutEffect(() => {
    const element = dialog.current
    const before = document.activeElement
    element?.showModal()
    return () => {
      element?.close()
      const next = goOnAt?.(before) ?? before
      if (!(next instanceof HTMLElement && next.isConnected)) return
      // It was still inert when closing focused it: it would receive keys, but no text.
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
