import type { JSX } from "preact"

/** Attributes that make a scrollable element focusable, so that the keyboard can scroll it. */
const FOCUSABLE = { tabIndex: 0 }

/** Renders a scrollable element: a landmark of the page or, with the role `group`, only a name. */
export function Scrollable(props: JSX.IntrinsicElements["section"]) {
  return <section {...props} {...FOCUSABLE} />
}
