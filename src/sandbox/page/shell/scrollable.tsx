import type { ComponentChildren, JSX } from "preact"

/** Whatever scrolls must take the focus, or the keyboard cannot scroll it. */
const FOCUSABLE = { tabIndex: 0 }

type ScrollableProps = Omit<JSX.IntrinsicElements["section"], "tabIndex"> & {
  readonly children: ComponentChildren
}

/** A named part of the page that scrolls by itself. */
export function Scrollable({ children, ...rest }: ScrollableProps) {
  return (
    <section {...rest} {...FOCUSABLE}>
      {children}
    </section>
  )
}
