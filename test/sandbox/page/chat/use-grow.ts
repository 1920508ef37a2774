import { useEffect } from "preact/hooks"

/** Keeps a text box as high as its text, within the bounds of the style. */
export function useGrow(input: { current: HTMLTextAreaElement | null }, text: string): void {
  useEffect(() => {
    const box = input.current
    if (!box) return
    box.style.height = "auto"
    box.style.height = `${box.scrollHeight}px`
  }, [input, text])
}
