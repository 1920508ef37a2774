/**
 * A path as far as a filter looks at it: no regular expression takes one, so none can be built from
 * what somebody typed.
 */
export type Searched = Pick<string, "length" | "startsWith" | "endsWith" | "indexOf">

/**
 * Does a page path match? Without `*` the filter is a prefix; with one the whole path must match and
 * every `*` stands for any run of characters, slashes included. Goes over the path once, whatever the
 * filter is.
 */
export function matches(path: Searched, filter: string): boolean {
  return filter.includes("*") ? glob(path, filter) : path.startsWith(filter)
}

function glob(path: Searched, pattern: string): boolean {
  const parts = pattern.split("*")
  const first = parts[0] ?? ""
  const last = parts.at(-1) ?? ""
  if (path.length < first.length + last.length) return false
  if (!path.startsWith(first) || !path.endsWith(last)) return false
  let at = first.length
  const end = path.length - last.length
  for (const part of parts.slice(1, -1)) {
    const found = path.indexOf(part, at)
    if (found < 0 || found + part.length > end) return false
    at = found + part.length
  }
  return true
}
