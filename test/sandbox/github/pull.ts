import { z } from "zod"

export interface FileChange {
  readonly path: string
  readonly before: string
  readonly after: string
}

/** State of a branch as its author pushes it. Times are epoch ms. */
export interface PushedPull {
  readonly repository: string
  readonly number: number
  readonly title: string
  readonly branch: string
  readonly openedAt: number
  /** Requests, oldest first; each became a commit. */
  readonly asked: readonly { readonly at: number; readonly prompt: string }[]
  readonly files: readonly FileChange[]
  /** True while the latest request is being worked on. */
  readonly isWorking: boolean
}

const reviewStateSchema = z.enum(["APPROVED", "CHANGES_REQUESTED", "COMMENTED"])

/** Values of `author_association`: "How the author is associated with the repository." */
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

/** Review comment, "comments on a portion of the unified diff". */
const lineCommentSchema = z.strictObject({
  path: z.string().min(1),
  /**
   * Line number, or null once outdated: "The line of the blob in the pull request diff that the
   * comment applies to".
   */
  line: z.number().int().min(1).nullable(),
  body: z.string(),
})

export interface LocalPull extends PushedPull {
  readonly id: number
  readonly state: "open" | "closed"
  readonly draft: boolean
  readonly mergedAt: number | null
  /** Login of the account that merged it; null if not merged or if the account was deleted. */
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
    /** Id of a review that was pending meanwhile: it's given when a reviewer starts, not at the end. */
    id: z.number().int().optional(),
    state: reviewStateSchema,
    association: associationSchema.default("MEMBER"),
    body: z.string().default(""),
    comments: z.array(lineCommentSchema).default([]),
  }),
])
export type PullAction = z.input<typeof pullActionSchema>
type ParsedAction = z.output<typeof pullActionSchema>

export interface Review extends Omit<Extract<ParsedAction, { do: "review" }>, "do"> {
  readonly id: number
  readonly at: number
}

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

/** Returns the pull request updated with newly pushed commits, or unchanged if there are none. */
export function pushed(pull: LocalPull, next: PushedPull, now: number): LocalPull {
  const isNew = commitsOf(next) !== commitsOf(pull)
  return { ...pull, ...next, openedAt: pull.openedAt, updatedAt: isNew ? now : pull.updatedAt }
}

export function commitsOf({ asked, isWorking }: PushedPull): number {
  return Math.max(1, asked.length - (isWorking ? 1 : 0))
}

/** Returns the reason why a person can't do this now; undefined if they can. */
export function obstacle(
  pull: Pick<LocalPull, "mergedAt" | "state" | "draft">,
  { do: action }: Pick<PullAction, "do">,
): string | undefined {
  if (pull.mergedAt !== null && action !== "review") return "It's already merged"
  if (action === "reopen") return pull.state === "open" ? "It's already open" : undefined
  if (action === "draft" && pull.draft) return "It's already a draft"
  if (action === "ready" && !pull.draft) return "It's already ready for review"
  if (pull.state === "closed" && action !== "review") return "It's closed"
  if (action === "merge" && pull.draft) return "It's a draft"
  return undefined
}

/** Returns the pull request after an action that `obstacle` allows. */
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
      const review = { ...said, id: said.id ?? pull.id * 100 + pull.reviews.length, at: now }
      // GitHub doesn't document that a review changes `updated_at`: clients must read the reviews.
      return { ...pull, reviews: [...pull.reviews, review] }
    }
  }
}
