/**
 * What is asked: context comes first, as quoted lines, and a line directly below belongs to them.
 * Where nothing follows, whatever is not quoted.
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

/** The words of a text that say what it is about, in lower case. */
export function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/\p{L}{4,}/gu) ?? []
}

export function titleOf(prompt: string): string {
  const sentence = requestOf(prompt).split(/(?<=[.!?。])\s|\n/)[0] ?? ""
  const title = capitalised(cut(sentence.replace(/[.。]+$/, ""), 72))
  return title === "" ? "Update the documentation" : title
}

/** Cuts on code points, so that no character is torn. */
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
