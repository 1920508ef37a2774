import type { ComponentChildren } from "preact"
import { useId, useRef } from "preact/hooks"
import { Icon, type IconName } from "./icon.tsx"

interface MenuProps {
  readonly label: string
  readonly class?: string
  readonly icon?: IconName
  readonly words?: string
  readonly children: ComponentChildren
}

/** Renders a button with a menu in the browser's top layer, where nothing can clip it. */
export function Menu({
  label,
  class: name = "icon-button",
  icon = "more",
  words,
  children,
}: MenuProps) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const place = () => {
    if (list.current && opener.current) putBeside(list.current, opener.current)
  }
  const toggled = (event: { newState: string }) => {
    opener.current?.setAttribute("aria-expanded", String(event.newState === "open"))
    if (event.newState === "open") itemsIn(list.current)[0]?.focus()
  }
  return (
    <>
      <button
        ref={opener}
        type="button"
        class={name}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded="false"
        title={label}
        popoverTarget={id}
      >
        <Icon name={icon} />
        {words}
      </button>
      <div
        ref={list}
        id={id}
        class="menu"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        popover="auto"
        onBeforeToggle={place}
        onToggle={toggled}
        onKeyDown={(event) => moveFocus(list.current, event)}
        onClick={() => list.current?.hidePopover()}
      >
        {children}
      </div>
    </>
  )
}

export function MenuItem({
  onPick,
  children,
}: {
  onPick: () => void
  children: ComponentChildren
}) {
  return (
    <button type="button" role="menuitem" tabIndex={-1} onClick={onPick}>
      {children}
    </button>
  )
}

function itemsIn(list: HTMLElement | null): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])]
}

function moveFocus(list: HTMLElement | null, event: KeyboardEvent): void {
  const items = itemsIn(list)
  const focused = document.activeElement
  const at = focused instanceof HTMLElement ? items.indexOf(focused) : -1
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key]
  if (to === undefined) return
  event.preventDefault()
  items.at(to % items.length)?.focus()
}

/** Places the menu next to its opener, aligned with the nearer side, but inside the window. */
function putBeside(list: HTMLElement, opener: HTMLElement): void {
  const { bottom, top, left, right } = opener.getBoundingClientRect()
  const below = window.innerHeight - bottom > 240
  const fromRight = window.innerWidth - right
  list.style.right = left < fromRight ? "auto" : `${Math.max(8, fromRight)}px`
  list.style.left = left < fromRight ? `${Math.max(8, left)}px` : "auto"
  list.style.top = below ? `${bottom + 4}px` : "auto"
  list.style.bottom = below ? "auto" : `${window.innerHeight - top + 4}px`
}
