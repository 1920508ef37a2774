const VERBS =
  /^(?:(?:please|can you|could you|we need to|let's)\s+)*(?:add|write|document|explain|describe|create|cover|mention|clarify|update|improve|include|expand)\b\s*/i
const FILLERS =
  /^(?:(?:a|an|the|new|short|section|page|paragraph|note|example|docs|documentation|about|on|for|of|how|to|that|what|why|when)\b\s*)+/i

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

/** What the prompt is about, as a heading: without the verb and the words around it. */
export function headingOf(prompt: string): string {
  const line = requestOf(prompt).split(/[.!?。:;\n]/)[0] ?? ""
  const topic = line
    .replace(VERBS, "")
    .replace(FILLERS, "")
    .replace(/[#`*_]+/g, "")
    .trim()
  return capitalised(cut(topic === "" ? titleOf(prompt) : topic, 60))
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
