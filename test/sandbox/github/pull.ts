import { z } from "zod"

export interface FileChange {
  readonly path: string
  readonly before: string
  readonly after: string
}

/** What whoever works on a branch pushes. Times are epoch milliseconds. */
export interface PushedPull {
  readonly repository: string
  readonly number: number
  readonly title: string
  readonly branch: string
  readonly openedAt: number
  /** What was asked for, the first request first; each became a commit. */
  readonly asked: readonly { readonly at: number; readonly prompt: string }[]
  readonly files: readonly FileChange[]
  /** Whether the files hold marks where an agent would write. */
  readonly hasMarks: boolean
  /** Whether the latest request is still being worked on. */
  readonly isWorking: boolean
}

const reviewStateSchema = z.enum(["APPROVED", "CHANGES_REQUESTED", "COMMENTED"])

/** "How the author is associated with the repository." */
const associationSchema = z.enum([
  "COLLABORATOR",
  "CONTRIBUTOR",
  "FIRST_TIMER",
  "FIRST_TIME_CONTRIBUTOR",
  "MANNEQUIN",
  "MEMBER",
  "NONE",
  "OWNER",
])

/** "Pull request review comments are comments on a portion of the unified diff". */
const lineCommentSchema = z.strictObject({
  path: z.string().min(1),
  /** "The line of the blob in the pull request diff that the comment applies to"; null once it is outdated. */
  line: z.number().int().min(1).nullable(),
  body: z.string(),
})
type LineComment = z.output<typeof lineCommentSchema>

export interface Review {
  readonly id: number
  readonly by: string | null
  readonly association: z.infer<typeof associationSchema>
  readonly state: z.infer<typeof reviewStateSchema>
  readonly body: string
  /** "Pull request reviews are groups of pull request review comments". */
  readonly comments: readonly LineComment[]
  readonly at: number
}

export interface LocalPull extends PushedPull {
  readonly id: number
  readonly state: "open" | "closed"
  readonly draft: boolean
  readonly mergedAt: number | null
  /** Null while it is not merged, and where the account that merged is gone. */
  readonly mergedBy: string | null
  readonly closedAt: number | null
  readonly updatedAt: number
  readonly reviews: readonly Review[]
}

const by = z.string().min(1).nullable().default("ada")

export const pullActionSchema = z.discriminatedUnion("do", [
  z.strictObject({ do: z.literal("merge"), by }),
  z.strictObject({ do: z.literal("close") }),
  z.strictObject({ do: z.literal("reopen") }),
  z.strictObject({ do: z.literal("draft") }),
  z.strictObject({ do: z.literal("ready") }),
  z.strictObject({
    do: z.literal("review"),
    by,
    state: reviewStateSchema,
    association: associationSchema.default("MEMBER"),
    body: z.string().default(""),
    comments: z.array(lineCommentSchema).default([]),
  }),
])
export type PullAction = z.input<typeof pullActionSchema>
type ParsedAction = z.output<typeof pullActionSchema>

export function opened(pushed: PushedPull, id: number): LocalPull {
  return {
    ...pushed,
    id,
    state: "open",
    draft: false,
    mergedAt: null,
    mergedBy: null,
    closedAt: null,
    updatedAt: pushed.openedAt,
    reviews: [],
  }
}

/** The pull request with what was pushed to its branch since; the same when that is nothing. */
export function pushed(pull: LocalPull, next: PushedPull, now: number): LocalPull {
  const isNew = commitsOf(next) !== commitsOf(pull)
  return { ...pull, ...next, openedAt: pull.openedAt, updatedAt: isNew ? now : pull.updatedAt }
}

export function commitsOf({ asked, isWorking }: PushedPull): number {
  return Math.max(1, asked.length - (isWorking ? 1 : 0))
}

/** Why a person may not do this now; undefined when they may. */
export function obstacle(
  pull: Pick<LocalPull, "mergedAt" | "state" | "draft">,
  { do: action }: Pick<PullAction, "do">,
): string | undefined {
  if (pull.mergedAt !== null && action !== "review") return "It is merged"
  if (action === "reopen") return pull.state === "open" ? "It is open" : undefined
  if (action === "draft" && pull.draft) return "It is a draft already"
  if (action === "ready" && !pull.draft) return "It is ready already"
  if (pull.state === "closed" && action !== "review") return "It is closed"
  if (action === "merge" && pull.draft) return "It is a draft"
  return undefined
}

/** The pull request after what a person did, which `obstacle` had nothing against. */
export function acted(pull: LocalPull, action: ParsedAction, now: number): LocalPull {
  const touched = { ...pull, updatedAt: now }
  switch (action.do) {
    case "merge":
      return { ...touched, state: "closed", closedAt: now, mergedAt: now, mergedBy: action.by }
    case "close":
      return { ...touched, state: "closed", closedAt: now }
    case "reopen":
      return { ...touched, state: "open", closedAt: null }
    case "draft":
      return { ...touched, draft: true }
    case "ready":
      return { ...touched, draft: false }
    case "review": {
      const { do: _, ...said } = action
      const review = { ...said, id: pull.id * 100 + pull.reviews.length, at: now }
      // That a review moves `updated_at` is documented nowhere: reviews have to be asked for.
      return { ...pull, reviews: [...pull.reviews, review] }
    }
  }
}
