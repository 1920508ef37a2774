import { z } from "zod"
import type { PlannedFault } from "../kit/fault-board.ts"
import { faultSchema, type ParsedFault } from "./faults.ts"
import type { LocalGitHub } from "./local-github.ts"
import { obstacle, type PullAction, pullActionSchema } from "./pull.ts"
import { type Settings, settingsChangesSchema } from "./settings.ts"

/** Everything a control panel shows, as plain JSON without tokens. */
export interface GitHubSnapshot {
  readonly url: string
  /** Newest first. */
  readonly pulls: readonly PullSnapshot[]
  readonly faults: readonly PlannedFault<ParsedFault>[]
  readonly settings: Settings
}

export interface PullSnapshot {
  readonly repository: string
  readonly number: number
  readonly condition: "merged" | "closed" | "draft" | "open"
  /** What each review said, oldest first. */
  readonly reviews: readonly string[]
}

const place = { repository: z.string().min(1), number: z.number().int().min(1) }

/** The strings of `LocalGitHub` as JSON. */
const commandSchema = z.discriminatedUnion("do", [
  z.strictObject({ do: z.literal("act"), ...place, action: pullActionSchema }),
  z.strictObject({ do: z.literal("delete_pull"), ...place }),
  z.strictObject({ do: z.literal("expire_tokens") }),
  z.strictObject({ do: z.literal("fail"), fault: faultSchema }),
  z.strictObject({ do: z.literal("clear_faults") }),
  z.strictObject({ do: z.literal("configure"), changes: settingsChangesSchema }),
])

/** As sent by a panel, defaults left out. */
export type GitHubCommand = z.input<typeof commandSchema>
type ParsedCommand = z.output<typeof commandSchema>

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
    faults: github.faults(),
    settings: github.settings,
  }
}

/** Carries out one command. @throws Error saying why one that makes no sense changed nothing. */
export function controlGitHub(github: LocalGitHub, command: unknown): GitHubSnapshot {
  const parsed = commandSchema.safeParse(command)
  if (!parsed.success) throw new Error(z.prettifyError(parsed.error))
  carryOut(github, parsed.data)
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

function carryOut(github: LocalGitHub, command: ParsedCommand): void {
  switch (command.do) {
    case "act":
      github.act(command.repository, command.number, command.action)
      break
    case "delete_pull":
      github.deletePull(command.repository, command.number)
      break
    case "expire_tokens":
      github.expireTokens()
      break
    case "fail":
      github.fail(command.fault)
      break
    case "clear_faults":
      github.clearFaults()
      break
    case "configure":
      github.configure(command.changes)
      break
  }
}
