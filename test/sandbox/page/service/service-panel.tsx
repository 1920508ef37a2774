import { usePage } from "../model/context.ts"
import { Scrollable } from "../shell/scrollable.tsx"
import { Faults } from "./faults.tsx"
import { Hour } from "./hour.tsx"
import { Jobs } from "./jobs.tsx"
import { Plans } from "./plans.tsx"

export function ServicePanel() {
  const { model } = usePage()
  const [project] = model.service.projects
  if (project === undefined) return <p class="waiting">The service has no project.</p>
  return (
    <Scrollable class="service" aria-label="The local documentation service">
      <Hour project={project} />
      <Plans plans={model.service.plans} />
      <Faults />
      <Jobs jobs={project.jobs} />
      <p class="service-foot">
        Project <code>{project.id}</code> at <code>{model.service.url}</code>
      </p>
    </Scrollable>
  )
}
