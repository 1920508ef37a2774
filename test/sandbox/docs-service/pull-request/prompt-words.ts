/** Returns the request in a prompt: its first paragraph, because quotes and evidence follow. */
function requestOf(prompt: string): string {
  const [request = ""] = prompt.trim().split(/\r?\n\s*\n/)
  return request.trim()
}

/** Returns a title, which agents make of a prompt's first line, whatever that says. */
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
