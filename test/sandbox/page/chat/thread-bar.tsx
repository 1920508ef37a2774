import { usePage } from "../model/context.ts"
import { nowIn, timeOf } from "../model/model.ts"
import type { ThreadSummary } from "../model/selectors.ts"
import { ago } from "../mrkdwn/dates.ts"
import { Avatar } from "../shell/avatar.tsx"

export function ThreadBar({ root, thread }: { root: string; thread: ThreadSummary }) {
  const { model, dispatch } = usePage()
  const words = thread.count === 1 ? "1 reply" : `${thread.count} replies`
  return (
    <button
      type="button"
      class="thread-bar"
      onClick={() => dispatch({ do: "open_thread", ts: root })}
    >
      <span class="thread-people">
        {thread.people.slice(0, 4).map((id) => (
          <Avatar key={id} user={model.users.get(id)} small />
        ))}
      </span>
      <strong>{words}</strong>
      <span class="thread-latest">Last reply {ago(timeOf(thread.latest), nowIn(model))}</span>
    </button>
  )
}
