import { isObject, stringIn } from "../../kit/json.ts"
import type { InputErrors } from "../../slack/index.ts"
import type { RequestBody, RequestName } from "../../workspace/requests.ts"

class ApiError extends Error {
  override name = "ApiError"
}

export function act<N extends RequestName>(name: N, body: RequestBody<N>): Promise<unknown> {
  return post(name, body)
}

/** Submits the modal. @returns errors by block id, empty if it was accepted. @throws ApiError */
export async function submitModal(
  as: string,
  values: RequestBody<"submit">["values"],
): Promise<InputErrors> {
  const answer = await act("submit", { as, ...(values ? { values } : {}) })
  const submission = isObject(answer) ? answer.submission : undefined
  const errors = isObject(submission) ? submission.errors : undefined
  const texts = isObject(errors) ? Object.entries(errors) : []
  return Object.fromEntries(
    texts.map(([block, text]) => [block, typeof text === "string" ? text : "That isn't valid."]),
  )
}

function post(name: string, body: unknown): Promise<unknown> {
  return call(`/api/${name}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  })
}

async function call(path: string, init?: RequestInit): Promise<unknown> {
  let response: Response
  try {
    response = await fetch(path, init)
  } catch (cause) {
    throw new ApiError("The sandbox isn't responding. Is it still running?", { cause })
  }
  const answer: unknown = await response.json().catch(() => undefined)
  if (response.ok) return answer
  const words = isObject(answer) ? stringIn(answer, "error") : undefined
  throw new ApiError(words ?? `The sandbox responded with status ${response.status}`)
}

export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
