import { z } from "zod"

const moment = z.string().transform((text, context) => {
  const ms = Date.parse(text)
  if (Number.isNaN(ms)) context.addIssue("is no time")
  return ms
})
const account = z.object({ login: z.string().max(100) }).nullish()

/** "Get a pull request", as far as it is shown. */
export const pullSchema = z.object({
  state: z.enum(["open", "closed"]),
  draft: z.boolean().nullish(),
  merged: z.boolean().nullish(),
  merged_at: z.string().nullish(),
  merged_by: account,
  updated_at: moment,
})

/** "List reviews for a pull request": "The list of reviews returns in chronological order." */
export const reviewsSchema = z.array(
  z.object({ user: account, state: z.string(), submitted_at: moment.optional() }),
)
