import type { FieldChange, JobTrail, TrailStep } from "../../workspace/wire.ts"
import { Scrollable } from "../shell/scrollable.tsx"
import { headline } from "./headline.ts"

/** Fields that hold a moment, in epoch ms. */
const MOMENTS: ReadonlySet<string> = new Set([
  "at",
  "started",
  "ended",
  "starts",
  "slot of the hour",
  "creation under way",
  "has something to say in Slack",
  "next poll",
])

/** How the record of a request came about, step by step. */
export function Trail({ trail }: { trail: JobTrail }) {
  const begun = trail.steps[0]?.at ?? 0
  return (
    <Scrollable class="trail" aria-label="What happened to the request">
      <ol>
        {trail.steps.map((step, index) => (
          <Step key={`${step.at} ${index}`} step={step} begun={begun} />
        ))}
      </ol>
    </Scrollable>
  )
}

function Step({ step, begun }: { step: TrailStep; begun: number }) {
  const changesState = step.changes.some(({ field }) => field === "state")
  return (
    <li class={changesState ? "trail-state" : ""}>
      <span class="trail-at">+{((step.at - begun) / 1000).toFixed(2)} s</span>
      <details>
        <summary>{headline(step)}</summary>
        <dl>
          {step.changes.map((change) => (
            <Change key={change.field} change={change} />
          ))}
        </dl>
      </details>
    </li>
  )
}

function Change({ change }: { change: FieldChange }) {
  const { field, before, after } = change
  return (
    <div>
      <dt>{field}</dt>
      <dd>
        {before === undefined ? null : <s>{shown(field, before)}</s>}
        {after === undefined ? <em>gone</em> : <ins>{shown(field, after)}</ins>}
      </dd>
    </div>
  )
}

function shown(field: string, value: string): string {
  if (!MOMENTS.has(field) || !/^\d{12,}/.test(value)) return value
  return new Date(Number(value)).toLocaleTimeString("en-GB")
}
