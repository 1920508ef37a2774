/** Cuts to at most `max` code points, never through a surrogate pair; the last one is then `…`. */
export function truncate(text: string, max: number): string {
  if (text.length <= max) return text
  const points = Array.from(text.slice(0, max * 2 + 2))
  return points.length <= max ? text : `${points.slice(0, max - 1).join("")}…`
}

/** Cuts to at most `max` bytes of UTF-8, never through a character; the last one is then `…`. */
export function truncateBytes(text: string, max: number): string {
  if (Buffer.byteLength(text) <= max) return text
  let room = max - Buffer.byteLength("…")
  let end = 0
  for (const point of text) {
    room -= Buffer.byteLength(point)
    if (room < 0) break
    end += point.length
  }
  return `${text.slice(0, end)}…`
}
