import type { LocalJob } from "../../docs-service/agent-job.ts"
import { usePage } from "../model/context.ts"
import { nowIn } from "../model/model.ts"
import { ago } from "../mrkdwn/dates.ts"
import { SafeLink } from "../mrkdwn/safe-link.tsx"
import { Menu, MenuItem } from "../shell/menu.tsx"
import { useControl } from "./use-control.ts"

export function Jobs({ jobs }: { jobs: readonly LocalJob[] }) {
  return (
    <section class="card">
      <h3>Agent jobs</h3>
      {jobs.length === 0 ? (
        <p class="soft">
          None yet. Ask for a change: <code>/docs-agent fix the quickstart</code>
        </p>
      ) : (
        <ul class="jobs">
          {jobs.map((job) => (
            <JobRow key={job.id} job={job} />
          ))}
        </ul>
      )}
    </section>
  )
}

const ENDINGS = [
  ["pull_request", "Finish with a pull request"],
  ["no_pull_request", "Finish without one"],
  ["failed", "Fail"],
  ["archived", "Archive"],
] as const

function JobRow({ job }: { job: LocalJob }) {
  const steer = useControl()
  const { model } = usePage()
  const words = job.prompt.split("\n").at(-1) ?? job.prompt
  return (
    <li>
      <p class="job-words" title={job.prompt}>
        {words}
      </p>
      <p class="row soft">
        <span class={`status status-${job.status}`}>{job.status}</span>
        <span>{ago(job.createdAt, nowIn(model))}</span>
        {job.prLink ? <SafeLink url={job.prLink}>#{job.pull.number}</SafeLink> : null}
        <Menu label={`Control this job: ${words.slice(0, 40)}`}>
          {job.status === "active"
            ? ENDINGS.map(([ending, label]) => (
                <MenuItem
                  key={ending}
                  onPick={() => steer({ do: "finish", jobId: job.id, ending })}
                >
                  {label}
                </MenuItem>
              ))
            : null}
          {job.status === "active" ? null : (
            <MenuItem
              onPick={() => {
                steer({ do: "reactivate", jobId: job.id, plan: model.service.plans.later })
              }}
            >
              Mark active again
            </MenuItem>
          )}
        </Menu>
      </p>
    </li>
  )
}
