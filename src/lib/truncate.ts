/** Cuts text to at most `max` code points, `…` included, and never splits a surrogate pair. */
export function truncate(text: string, max: number): string {
  if (text.length <= max) return text
  const points = Array.from(text.slice(0, max * 2 + 2))
  return points.length <= max ? text : `${points.slice(0, max - 1).join("")}…`
}

/** Cuts text like `truncate`, but between two words if the last one is short enough to leave out. */
export function shorten(text: string, max: number): string {
  const cut = truncate(text, max)
  if (cut === text) return text
  const kept = cut.slice(0, -1)
  if (/^\s/.test(text.slice(kept.length))) return `${kept.trimEnd()}…`
  const end = kept.search(/\s+\S{1,24}$/)
  return end > 0 ? `${kept.slice(0, end)}…` : cut
}

/** Cuts text to at most `max` bytes of UTF-8, `…` included, and never splits a character. */
export function truncateBytes(text: string, max: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= max) return text
  // In stream mode the decoder holds back an incomplete character at the end.
  const whole = new TextDecoder().decode(bytes.subarray(0, max - 3), { stream: true })
  return `${whole}…`
}

/** Returns the first of these texts that fit, one a line, into this many code points. */
export function fitting<Text extends string>(texts: readonly Text[], max: number): readonly Text[] {
  let room = max
  const end = texts.findIndex((text) => {
    room -= Array.from(text).length + 1
    return room < 0
  })
  return end < 0 ? texts : texts.slice(0, end)
}

/** Returns the bytes of a text as JSON sends it, which escapes some characters. */
export function bytesInJson(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) - 2
}

/** Returns the first lines of a text that fit into this many bytes of JSON. */
export function linesWithin<Text extends string>(text: Text, max: number): Text {
  if (bytesInJson(text) <= max) return text
  let room = max
  const lines = text.split("\n")
  const end = lines.findIndex((line) => {
    room -= bytesInJson(line) + 2
    return room < 0
  })
  return lines.slice(0, end).join("\n") as Text
}
