import { plural } from "./format.ts"

/**
 * The start of a request to improve a page, with what speaks for it; the person goes on from there.
 * @param readers absent where they are not known any more @param when as the end of a sentence
 */
export function improvementRequest(
  path: string,
  readers: { human: number; ai: number } | undefined,
  when: string,
): string {
  if (readers === undefined) return `Improve the page ${path}: `
  const people = plural(readers.human, "person", "people")
  const ai = plural(readers.ai, "AI visitor", "AI visitors")
  return `Improve the page ${path} (${people} and ${ai} ${when}): `
}
