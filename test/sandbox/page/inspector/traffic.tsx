import { useMemo, useState } from "preact/hooks"
import type { TrafficEntry } from "../../workspace/wire.ts"
import { usePage } from "../model/context.ts"
import { Scrollable } from "../shell/scrollable.tsx"
import { LANES, type Lane, laneName } from "./lanes.ts"
import { withNames } from "./names.ts"
import { PayloadView } from "./payload-view.tsx"

/** Everything that went over a wire, newest first, and what it carried. */
export function Traffic() {
  const { model, view, dispatch } = usePage()
  const [muted, setMuted] = useState<ReadonlySet<Lane>>(new Set())
  const entries = useMemo(
    () => model.traffic.filter((entry) => !muted.has(entry.lane)).toReversed(),
    [model.traffic, muted],
  )
  const picked = view.inspector?.entry
  const toggle = (lane: Lane) => {
    const next = new Set(muted)
    if (!next.delete(lane)) next.add(lane)
    setMuted(next)
  }
  return (
    <div class="inspector-body">
      <div class="traffic">
        <fieldset class="row traffic-lanes" aria-label="Which connections to show">
          {LANES.map(([lane, words]) => (
            <button
              key={lane}
              type="button"
              class={`chip lane-${lane}`}
              aria-pressed={!muted.has(lane)}
              onClick={() => toggle(lane)}
            >
              {words}
            </button>
          ))}
        </fieldset>
        <Scrollable class="traffic-list" aria-label="Traffic, newest first">
          {entries.length === 0 ? <p class="waiting">Nothing yet.</p> : null}
          <ol>
            {entries.map((entry) => (
              <li key={entry.id}>
                <Line
                  entry={entry}
                  picked={entry.id === picked}
                  onPick={() => dispatch({ do: "inspect", view: { entry: entry.id } })}
                />
              </li>
            ))}
          </ol>
        </Scrollable>
      </div>
      <PayloadView entry={model.traffic.find((entry) => entry.id === picked)} />
    </div>
  )
}

function Line(props: { entry: TrafficEntry; picked: boolean; onPick: () => void }) {
  const { entry, picked, onPick } = props
  const { model } = usePage()
  return useMemo(
    () => (
      <button
        type="button"
        class={entry.ok ? "line" : "line line-bad"}
        aria-current={picked}
        onClick={onPick}
      >
        <time dateTime={new Date(entry.at).toISOString()}>{stamp(entry.at)}</time>
        <span class={`lane lane-${entry.lane}`}>{laneName(entry.lane)}</span>
        <strong>{entry.title}</strong>
        <span class="line-detail">{withNames(entry.detail, model)}</span>
        <span class="line-outcome">
          {entry.outcome}
          {entry.ms === undefined ? "" : `, ${entry.ms} ms`}
        </span>
      </button>
    ),
    [entry, picked],
  )
}

/** To the millisecond: what followed what is the question here. */
function stamp(at: number): string {
  const time = new Date(at)
  const parts = [time.getHours(), time.getMinutes(), time.getSeconds()]
  const clock = parts.map((part) => String(part).padStart(2, "0")).join(":")
  return `${clock}.${String(time.getMilliseconds()).padStart(3, "0")}`
}
