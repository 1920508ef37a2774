import type { ProjectSnapshot } from "../../docs-service/control.ts"
import { Meter } from "./meter.tsx"
import { useControl } from "./use-control.ts"

export function Hour({ project }: { project: ProjectSnapshot }) {
  const steer = useControl()
  const spend = (n: number) => steer({ do: "spend_elsewhere", projectId: project.id, n })
  return (
    <section class="card">
      <h3>Hourly limit</h3>
      <Meter label="jobs created in the last hour" hour={project.hour} />
      <p class="row">
        <span>Simulate other usage</span>
        {[1, 10, 50].map((n) => (
          <button key={n} type="button" class="chip" onClick={() => spend(n)}>
            {n}
          </button>
        ))}
        <button
          type="button"
          class="chip"
          disabled={project.hour.remaining === 0}
          onClick={() => spend(project.hour.remaining)}
        >
          all remaining
        </button>
      </p>
    </section>
  )
}
