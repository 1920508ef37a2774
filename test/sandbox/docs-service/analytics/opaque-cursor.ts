import type { AnalyticsQuery } from "./paging.ts"

export interface CursorPage<T> {
  readonly rows: readonly T[]
  readonly nextCursor: string | null
}

/** The page behind "an opaque pagination cursor"; undefined when this service never gave it. */
export function pageAfter<T>(
  rows: readonly T[],
  { cursor, limit }: AnalyticsQuery,
): CursorPage<T> | undefined {
  const start = cursor === undefined ? 0 : startOf(cursor)
  if (start === undefined) return undefined
  const end = start + limit
  const more = end < rows.length
  const nextCursor = more ? Buffer.from(`after ${end}`).toString("base64url") : null
  return { rows: rows.slice(start, end), nextCursor }
}

function startOf(cursor: string): number | undefined {
  const [, start] = /^after (\d{1,9})$/.exec(Buffer.from(cursor, "base64url").toString()) ?? []
  return start === undefined ? undefined : Number(start)
}
