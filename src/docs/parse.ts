import type { z } from "zod"
import { DocsError } from "../errors/docs-error.ts"
import { parseJson } from "../text/json.ts"

/** A success of the service as its document promises it. @throws DocsError that names the field */
export function parse<S extends z.ZodType>(
  operation: string,
  schema: S,
  body: string,
): z.output<S> {
  const json = parseJson(body)
  if (json === undefined) {
    // Without what JSON.parse says about it, which quotes from the body.
    const detail = body === "" ? "an empty body" : "a body that is not JSON"
    throw new DocsError({ operation, fault: "broken_body", detail })
  }
  const parsed = schema.safeParse(json)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const field = issue?.path.join(".") || "the body"
  throw new DocsError({ operation, fault: "broken_body", detail: `${field}: ${issue?.message}` })
}
