import { z } from "zod"

const moment = z.string().transform((text, context) => {
  const ms = Date.parse(text)
  if (Number.isNaN(ms)) context.addIssue("is no time")
  return ms
})
const account = z.object({ login: z.string().max(100) }).nullish()
const count = z.number().int().min(0).nullish()

/** "Get a pull request", as far as it is shown. */
export const pullSchema = z.object({
  state: z.enum(["open", "closed"]),
  draft: z.boolean().nullish(),
  merged: z.boolean().nullish(),
  merged_at: z.string().nullish(),
  merged_by: account,
  updated_at: moment,
  title: z.string().nullish(),
  head: z.object({ sha: z.string().max(100) }).nullish(),
  changed_files: count,
  additions: count,
  deletions: count,
})

/** "List pull requests files". */
export const filesSchema = z.array(z.object({ filename: z.string() }))

/** "List reviews for a pull request": "The list of reviews returns in chronological order." */
export const reviewsSchema = z.array(
  z.object({
    id: z.number().optional(),
    user: account,
    state: z.string(),
    submitted_at: moment.optional(),
    author_association: z.string().nullish(),
    body: z.string().nullish(),
  }),
)

/** "List review comments on a pull request": "in ascending order by ID". */
export const commentsSchema = z.array(
  z.object({
    pull_request_review_id: z.number().nullish(),
    user: account,
    author_association: z.string().nullish(),
    path: z.string().nullish(),
    line: z.number().nullish(),
    body: z.string().nullish(),
  }),
)
