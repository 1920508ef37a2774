import { useEffect } from "preact/hooks"

/** The composer beside an element: the thread's inside its side, else the channel's. */
export function composerBeside(element: Element | null): HTMLElement | null {
  const place = element?.closest(".dock") ?? document
  return place.querySelector<HTMLElement>(".composer textarea")
}

/**
 * Whether letters mean something where the focus is: a press on a channel leaves it on its button, and
 * one on a button that is gone on its message.
 */
function takesLetters(element: Element | null): boolean {
  if (element === document.body || element === null || element.matches("article")) return false
  return !(element instanceof HTMLButtonElement) || element.closest("dialog, [role=menu]") !== null
}

/** What is typed where letters mean nothing goes to the composer, as in Slack. */
export function useTypingAnywhere(): void {
  useEffect(() => {
    const take = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
      const isLetter = key.length === 1 && key !== " " && !ctrlKey && !metaKey && !altKey
      if (!isLetter || takesLetters(document.activeElement)) return
      composerBeside(document.querySelector(".dock .composer"))?.focus()
    }
    document.addEventListener("keydown", take)
    return () => document.removeEventListener("keydown", take)
  }, [])
}
