/** The composer beside an element: the thread's inside its side, else the channel's. */
export function composerBeside(element: Element | null): HTMLElement | null {
  const place = element?.closest(".dock") ?? document
  return place.querySelector<HTMLElement>(".composer textarea")
}
