import { z } from "zod"
import { parseJson } from "../text/json.ts"

/** A value in Redis as JSON with a version beside it. */
export interface RecordCodec<T> {
  write(value: T): string
  /** Undefined when there is none, or one of another version or shape. */
  read(text: string | null | undefined): T | undefined
}

/** @param version grows when the shape changes; records of other versions count as absent */
export function recordCodec<T>(version: number, shape: z.ZodType<T>): RecordCodec<T> {
  const envelope = z.object({ v: z.literal(version), value: z.unknown() })
  return {
    write: (value) => JSON.stringify({ v: version, value }),
    read(text) {
      const { data } = envelope.safeParse(parseJson(text ?? ""))
      return data && shape.safeParse(data.value).data
    },
  }
}

/** What is stored cannot be read: broken, or of another version. */
export class RecordError extends Error {
  override name = "RecordError"
}
