import { z } from "zod"
import { parseJson } from "../lib/json.ts"

export class RecordError extends Error {
  override name = "RecordError"
}

export function jsonField<S extends z.ZodType>(shape: S) {
  return z
    .string()
    .transform((text) => parseJson(text))
    .pipe(shape)
}

export const flagField = z.literal("1").transform(() => true as const)

export const numberField = z.coerce.number()

/** Encodes a record's fields for its hash: text as it is, numbers as digits, the rest as JSON. */
export function toHash(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(present.map(([name, value]) => [name, toField(value)]))
}

function toField(value: unknown): string {
  if (typeof value === "string") return value
  if (typeof value === "number") return String(value)
  return value === true ? "1" : JSON.stringify(value)
}

/** Parses a stored record. @param what its name in the error @throws RecordError if invalid */
export function parseRecord<T>(shape: z.ZodType<T>, what: string, value: unknown): T {
  const parsed = shape.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new RecordError(
    `Couldn't read the stored ${what}: ${issue?.path.join(".")} ${issue?.message}. ` +
      "Another version wrote it, or it was edited by hand.",
  )
}
