import type { ComponentChildren, JSX } from "preact"

type ScrollableProps = Omit<JSX.IntrinsicElements["section"], "tabIndex"> & {
  readonly children: ComponentChildren
}

/** Attributes that make a scrollable element focusable, so that the keyboard can scroll it. */
const FOCUSABLE = { tabIndex: 0 }
/** Attributes that let screen readers name an element without making it a page landmark. */
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
