import { z } from "zod"

const cursorOf = z.object({
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
})

/** Slack's cursor paging: each answer in turn, at most `most` of them. */
export async function* pages(
  read: (cursor: { cursor?: string }) => Promise<unknown>,
  most: number,
): AsyncGenerator<unknown> {
  let cursor: string | undefined
  for (let n = 0; n < most; n += 1) {
    const answer = await read(cursor ? { cursor } : {})
    yield answer
    cursor = cursorOf.parse(answer).response_metadata?.next_cursor
    if (!cursor) return
  }
}
