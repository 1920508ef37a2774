import { z } from "zod"
import type { LocalGitHub } from "./local-github.ts"
import { obstacle, type PullAction, pullActionSchema } from "./pull.ts"

/** Everything a control panel shows, as plain JSON without tokens. */
export interface GitHubSnapshot {
  readonly url: string
  readonly pulls: readonly PullSnapshot[]
}

export interface PullSnapshot {
  readonly repository: string
  readonly number: number
  readonly condition: "merged" | "closed" | "draft" | "open"
  readonly reviews: readonly string[]
}

const commandSchema = z.strictObject({
  do: z.literal("act"),
  repository: z.string().min(1),
  number: z.number().int().min(1),
  action: pullActionSchema,
})

export type GitHubCommand = z.input<typeof commandSchema>

/** GitHub as it stands; at most the `latest` pull requests. */
export function gitHubSnapshot(github: LocalGitHub, latest = 50): GitHubSnapshot {
  const pulls = github.pulls().slice(-latest).toReversed()
  return {
    url: github.url,
    pulls: pulls.map(({ repository, number, mergedAt, state, draft, reviews }) => ({
      repository,
      number,
      condition:
        mergedAt !== null ? "merged" : state === "closed" ? "closed" : draft ? "draft" : "open",
      reviews: reviews.map((review) => review.state),
    })),
  }
}

/** Carries out one command. @throws Error saying why one that makes no sense changed nothing. */
export function controlGitHub(github: LocalGitHub, command: unknown): GitHubSnapshot {
  const parsed = commandSchema.safeParse(command)
  if (!parsed.success) throw new Error(z.prettifyError(parsed.error))
  const { repository, number, action } = parsed.data
  github.act(repository, number, action)
  return gitHubSnapshot(github)
}

/** Whether GitHub would let a person do this to a pull request in that condition. */
export function isPossible(pull: PullSnapshot, action: PullAction): boolean {
  const { condition } = pull
  const isOver = condition === "merged" || condition === "closed"
  const mergedAt = condition === "merged" ? 0 : null
  const state = isOver ? "closed" : "open"
  return obstacle({ mergedAt, state, draft: condition === "draft" }, action) === undefined
}
