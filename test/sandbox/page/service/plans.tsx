import { useState } from "preact/hooks"
import type { JobPlan } from "../../docs-service/agent-job.ts"
import type { ControlSnapshot } from "../../docs-service/control.ts"
import { useControl } from "./use-control.ts"

const ENDINGS: readonly [JobPlan["ending"], string][] = [
  ["pull_request", "Pull request"],
  ["no_pull_request", "No pull request"],
  ["failed", "Fail"],
  ["archived", "Archive"],
  ["never", "Never finish"],
]

const TIMES: readonly [number, string][] = [
  [1_000, "1 s"],
  [6_000, "6 s"],
  [30_000, "30 s"],
  [180_000, "3 min"],
]

export function Plans({ plans }: { plans: ControlSnapshot["plans"] }) {
  const steer = useControl()
  const [afterMs, setAfterMs] = useState(6_000)
  const [early, setEarly] = useState(false)
  const planFor = (ending: JobPlan["ending"]): JobPlan => ({
    ending,
    afterMs,
    ...(early ? { prAfterMs: Math.floor(afterMs / 2) } : {}),
  })
  return (
    <section class="card">
      <h3>Next result</h3>
      <fieldset class="row" aria-label="Duration">
        <span>after</span>
        {TIMES.map(([ms, words]) => (
          <button
            key={ms}
            type="button"
            class="chip"
            aria-pressed={afterMs === ms}
            onClick={() => setAfterMs(ms)}
          >
            {words}
          </button>
        ))}
        <button
          type="button"
          class="chip"
          aria-pressed={early}
          title="The link appears halfway through, while the agent is still working"
          onClick={() => setEarly(!early)}
        >
          early link
        </button>
      </fieldset>
      <ul class="plan-list">
        {ENDINGS.map(([ending, words]) => (
          <li key={ending}>
            <span class={`status status-${ending}`}>{words}</span>
            <button
              type="button"
              class="chip"
              aria-label={`${words}: for the next job`}
              onClick={() => steer({ do: "plan_next", plan: planFor(ending) })}
            >
              next job
            </button>
            <button
              type="button"
              class="chip"
              aria-label={`${words}: for every job`}
              aria-pressed={plans.later.ending === ending}
              onClick={() => steer({ do: "plan_all", plan: planFor(ending) })}
            >
              every job
            </button>
          </li>
        ))}
      </ul>
      {plans.next.length > 0 ? <Lined next={plans.next} /> : null}
    </section>
  )
}

function Lined({ next }: { next: readonly JobPlan[] }) {
  const steer = useControl()
  const words = next.map(({ ending, afterMs }) => {
    const name = ENDINGS.find(([one]) => one === ending)?.[1] ?? ending
    return `${name} (${afterMs / 1000} s)`
  })
  return (
    <p class="row lined">
      <span>Next: {words.join(", then ")}</span>
      <button type="button" class="chip" onClick={() => steer({ do: "clear_plans" })}>
        Clear
      </button>
    </p>
  )
}
