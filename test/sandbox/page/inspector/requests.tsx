import type { JobTrail } from "../../workspace/wire.ts"
import { usePage } from "../model/context.ts"
import { Scrollable } from "../shell/scrollable.tsx"
import { StoredKeys } from "./stored-keys.tsx"
import { Trail } from "./trail.tsx"

/** Each request of the bot: how its record in Redis came about, and every key that mentions it. */
export function Requests() {
  const { model, view, dispatch } = usePage()
  const trails = [...model.trails.values()].toSorted((a, b) => begunAt(b) - begunAt(a))
  const picked = view.inspector?.job ?? trails[0]?.id
  const trail = trails.find(({ id }) => id === picked)
  return (
    <div class="inspector-body requests">
      <Scrollable class="request-list" aria-label="Requests, newest first">
        {trails.length === 0 ? <p class="waiting">No request yet.</p> : null}
        <ol>
          {trails.map((one) => (
            <li key={one.id}>
              <button
                type="button"
                class="line"
                aria-current={one.id === picked}
                onClick={() => dispatch({ do: "inspect", view: { job: one.id } })}
              >
                <code>{one.id}</code>
                <span class="line-detail">{one.words || "(no words kept)"}</span>
                <span class={`status status-${stateOf(one)}`}>{stateOf(one)}</span>
              </button>
            </li>
          ))}
        </ol>
      </Scrollable>
      {trail ? (
        <>
          <Trail trail={trail} />
          <StoredKeys key={trail.id} job={trail.id} version={trail.steps.length} />
        </>
      ) : null}
    </div>
  )
}

function begunAt({ steps }: JobTrail): number {
  return steps[0]?.at ?? 0
}

/** The latest state of a request, or how it ended. */
function stateOf({ steps }: JobTrail): string {
  const last = (field: string) =>
    steps.flatMap(({ changes }) => changes).findLast((change) => change.field === field)?.after
  return last("ending") ?? last("state") ?? ""
}
