import type { ComponentChildren, JSX } from "preact"

type ScrollableProps = Omit<JSX.IntrinsicElements["section"], "tabIndex"> & {
  readonly children: ComponentChildren
}

/** Whatever scrolls must take the focus, or the keyboard cannot scroll it. */
const FOCUSABLE = { tabIndex: 0 }
/** Named for screen readers without being one of the page's landmarks, of which many help nobody. */
const GROUP = { role: "group", ...FOCUSABLE } as const

export function Scrollable({ children, ...rest }: ScrollableProps) {
  return (
    <section {...rest} {...FOCUSABLE}>
      {children}
    </section>
  )
}

export function ScrollableGroup({ children, ...rest }: ScrollableProps) {
  return (
    <section {...rest} {...GROUP}>
      {children}
    </section>
  )
}
