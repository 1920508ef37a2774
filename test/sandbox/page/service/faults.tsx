import type { ActiveFault, Fault } from "../../docs-service/faults.ts"
import { usePage } from "../model/context.ts"
import { useControl } from "./use-control.ts"

interface FaultChoice {
  readonly name: string
  readonly explained: string
  readonly fault: Fault
}

const CHOICES: readonly FaultChoice[] = [
  {
    name: "Down",
    explained: "503 for every request",
    fault: { type: "status", status: 503, body: "empty" },
  },
  {
    name: "Slow",
    explained: "responses take 8 s",
    fault: { type: "delay", ms: 8_000 },
  },
  {
    name: "Error",
    explained: "500 with an HTML page",
    fault: { type: "status", status: 500, body: "html" },
  },
  {
    name: "Rate limited",
    explained: "429, retry in 30 s",
    fault: { type: "rate_limited", retryAfter: { seconds: 30 } },
  },
  {
    name: "Key expired",
    explained: "401 for every request",
    fault: { type: "expired_key" },
  },
  {
    name: "Response lost",
    explained: "the next job starts, but the response is lost",
    fault: { type: "reset", when: "after", kind: "create", times: 1 },
  },
]

export function Faults() {
  const { model } = usePage()
  const { faults } = model.service
  const steer = useControl()
  return (
    <section class="card">
      <h3>Simulate failures</h3>
      <ul class="switches">
        {CHOICES.map(({ name, explained, fault }) => {
          const active = faults.find((one) => isSame(one, fault))
          const hits = active && active.hits > 0 ? `, hit ${timesOf(active.hits)}` : ""
          const toggle = () =>
            steer(active ? { do: "clear_fault", id: active.id } : { do: "fail", fault })
          return (
            <li key={name}>
              <Switch
                name={name}
                explained={`${explained}${hits}`}
                on={active !== undefined}
                toggle={toggle}
              />
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function Switch(props: { name: string; explained: string; on: boolean; toggle: () => void }) {
  return (
    <button
      type="button"
      class="switch"
      role="switch"
      aria-checked={props.on}
      onClick={props.toggle}
    >
      <span class="switch-knob" aria-hidden="true" />
      <strong>{props.name}</strong>
      <small>{props.explained}</small>
    </button>
  )
}

/** Compares what tells the choices apart: active faults also have default values. */
function isSame({ fault }: ActiveFault, choice: Fault): boolean {
  const statusOf = (one: Fault) => (one.type === "status" ? one.status : undefined)
  return fault.type === choice.type && statusOf(fault) === statusOf(choice)
}

function timesOf(count: number): string {
  return count === 1 ? "1 time" : `${count} times`
}
