/** Cuts to at most `max` code points, never through a surrogate pair; the last one is then `…`. */
export function truncate(text: string, max: number): string {
  if (text.length <= max) return text
  const points = Array.from(text.slice(0, max * 2 + 2))
  return points.length <= max ? text : `${points.slice(0, max - 1).join("")}…`
}
