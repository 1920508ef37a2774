import { z } from "zod"
import { docsFaults } from "../../errors/docs-error.ts"

const count = z.number().nonnegative()

const group = z.object({
  text: z.string(),
  asked: count,
  pages: z.array(z.object({ path: z.string(), asked: count })),
})
const search = z.object({
  text: z.string(),
  hits: count,
  lost: count,
  path: z.string().exactOptional(),
})
const page = z.object({
  path: z.string(),
  up: count,
  down: count,
  readers: count.exactOptional(),
})

const partOf = <T extends z.ZodType>(value: T) =>
  z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("known"), value }),
    z.object({ kind: z.literal("absent") }),
    z.object({ kind: z.literal("failed"), fault: z.enum(docsFaults) }),
  ])

/** Gaps as they are kept: grouped and masked, never the rows they were made of. */
export const gapFacts = z.object({
  questions: partOf(
    z.object({ groups: z.array(group), read: count, unanswered: count, isWhole: z.boolean() }),
  ),
  searches: partOf(z.array(search)),
  pages: partOf(z.array(page)),
})

/** One gap as it was shown. */
export const shownGap = z.discriminatedUnion("kind", [
  group.extend({ kind: z.literal("question") }),
  search.extend({ kind: z.literal("search") }),
  page.extend({ kind: z.literal("page") }),
])
