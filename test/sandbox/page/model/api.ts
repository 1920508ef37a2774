import { isObject, stringIn } from "../../kit/json.ts"
import type { Answer, RequestBody, RequestName } from "../../workspace/requests.ts"

/** Does something as a person. @throws Error in words for people */
export async function act<N extends RequestName>(
  name: N,
  body: RequestBody<N>,
): Promise<Answer<N>> {
  let response: Response
  try {
    response = await fetch(`/api/${name}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    })
  } catch (cause) {
    throw new Error("The sandbox isn't responding. Is it still running?", { cause })
  }
  if (response.ok) return (await response.json()) as Answer<N>
  const answer: unknown = await response.json().catch(() => undefined)
  const words = isObject(answer) ? stringIn(answer, "error") : undefined
  throw new Error(words ?? `The sandbox responded with status ${response.status}`)
}

export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
