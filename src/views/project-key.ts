/** An opaque stand-in for a project's name in values of buttons and options. */
export function projectKey(project: string): string {
  let hash = 5381
  for (const char of project) hash = (hash * 33 + (char.codePointAt(0) ?? 0)) % 4_294_967_296
  return `p${hash.toString(36)}`
}
