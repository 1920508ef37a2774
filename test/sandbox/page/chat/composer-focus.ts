import { useEffect } from "preact/hooks"

/** The composer beside an element: the thread's inside its side, else the channel's. */
export function composerBeside(element: Element | null): HTMLElement | null {
  const place = element?.closest(".dock") ?? document
  return place.querySelector<HTMLElement>(".composer textarea")
}

/** What is typed while nothing has the focus goes to the composer, as in Slack. */
export function useTypingAnywhere(): void {
  useEffect(() => {
    const take = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
      const isLetter = key.length === 1 && key !== " " && !ctrlKey && !metaKey && !altKey
      if (!isLetter || document.activeElement !== document.body) return
      composerBeside(document.querySelector(".dock .composer"))?.focus()
    }
    document.addEventListener("keydown", take)
    return () => document.removeEventListener("keydown", take)
  }, [])
}
