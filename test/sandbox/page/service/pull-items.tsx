import { isPossible, type PullSnapshot } from "../../github/control.ts"
import type { PullAction } from "../../github/pull.ts"
import { sendToGitHub, wordsOf } from "../model/api.ts"
import { usePage } from "../model/context.ts"
import { MenuItem } from "../shell/menu.tsx"

const ACTIONS: readonly (readonly [string, PullAction])[] = [
  ["Merge the pull request", { do: "merge" }],
  ["Approve it", { do: "review", state: "APPROVED" }],
  ["Request changes to it", { do: "review", state: "CHANGES_REQUESTED" }],
  ["Convert it to a draft", { do: "draft" }],
  ["Mark it as ready for review", { do: "ready" }],
  ["Close it", { do: "close" }],
  ["Reopen it", { do: "reopen" }],
]

export function PullItems({ pull }: { pull: PullSnapshot }) {
  const { notify } = usePage()
  const { repository, number } = pull
  const act = (action: PullAction) => {
    const command = { do: "act", repository, number, action } as const
    sendToGitHub(command).catch((error: unknown) => notify(wordsOf(error)))
  }
  return (
    <>
      {ACTIONS.filter(([, action]) => isPossible(pull, action)).map(([label, action]) => (
        <MenuItem key={label} onPick={() => act(action)}>
          {label}
        </MenuItem>
      ))}
    </>
  )
}

export function verdict({ reviews }: PullSnapshot): string {
  return (reviews.at(-1) ?? "").toLowerCase().replace("_", " ")
}
