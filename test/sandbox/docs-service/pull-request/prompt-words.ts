/**
 * Returns the request in a prompt. Context comes first as quoted lines, and a line directly below
 * belongs to it; if nothing follows, the request is all text that isn't quoted.
 */
export function requestOf(prompt: string): string {
  const lines = prompt.split(/\r?\n/).map((line) => line.trim())
  const quoteEnd = lines.findLastIndex((line) => line.startsWith(">"))
  const requestStart = quoteEnd < 0 ? 0 : lines.indexOf("", quoteEnd)
  const request = requestStart < 0 ? "" : lines.slice(requestStart).join("\n").trim()
  return (
    request ||
    lines
      .filter((line) => !line.startsWith(">"))
      .join("\n")
      .trim()
  )
}

/** Returns the words of four or more letters in a text, in lowercase. */
export function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/\p{L}{4,}/gu) ?? []
}

export function titleOf(prompt: string): string {
  const sentence = requestOf(prompt).split(/(?<=[.!?。])\s|\n/)[0] ?? ""
  const title = capitalised(cut(sentence.replace(/[.。]+$/, ""), 72))
  return title === "" ? "Update the documentation" : title
}

/** Shortens the text by code points, so that no character is split. */
function cut(text: string, length: number): string {
  const points = Array.from(text)
  return points.length <= length
    ? text
    : `${points
        .slice(0, length - 1)
        .join("")
        .trimEnd()}…`
}

function capitalised(text: string): string {
  const [first = "", ...rest] = text
  return first.toUpperCase() + rest.join("")
}
