import { randomUUID } from "node:crypto"
import { setMaxListeners } from "node:events"
import { setTimeout as sleep } from "node:timers/promises"
import type { Project } from "./admission.ts"
import { advance, end, type JobEnding, type JobPlan, type LocalJob, restart } from "./agent-job.ts"

const DEFAULT_PLAN: JobPlan = { ending: "pull_request", afterMs: 20_000 }

/** Maximum timer delay in ms: Node replaces longer ones with 1 ms. */
const MAX_TIMER_MS = 2_147_483_647
/** Number of a repository's first pull request here, as if it had earlier ones. */
const FIRST_PULL_NUMBER = 214

export interface JobBookOptions {
  readonly origin: () => string
  readonly now: () => number
  readonly onChange: (job: LocalJob) => void
}

/** All jobs of the service. They advance when read and, for listeners, on a timer. */
export class JobBook {
  readonly #options: JobBookOptions
  readonly #jobs = new Map<string, LocalJob>()
  readonly #closing = new AbortController()
  readonly #pullCounts = new Map<string, number>()
  readonly #planned: JobPlan[] = []
  #default = DEFAULT_PLAN

  constructor(options: JobBookOptions) {
    this.#options = options
    // One listener per run that isn't over.
    setMaxListeners(0, this.#closing.signal)
  }

  create(project: Project, prompt: string): LocalJob {
    const id = randomUUID()
    const at = this.#options.now()
    const number = this.#nextPullNumber(project.repository)
    const repository = `${this.#options.origin()}/${project.repository}`
    return this.#start({
      id,
      projectId: project.id,
      prompt,
      status: "active",
      model: "docs-agent-1",
      source: { repository, ref: `docs-agent/change-${number}` },
      prLink: null,
      createdAt: at,
      archivedAt: null,
      messages: [],
      pull: { number, link: `${repository}/pull/${number}` },
      pullOpenedAt: null,
      run: { startedAt: at, plan: this.#planned.shift() ?? this.#default },
    })
  }

  /** Returns the job in its current state, or undefined if there is none with that id. */
  readonly get = (id: string): LocalJob | undefined => {
    const job = this.#jobs.get(id)
    return job && this.#settle(job)
  }

  /** Returns a project's jobs in their current state, oldest first. */
  readonly ofProject = (projectId: string): LocalJob[] => {
    const own = [...this.#jobs.values()].filter((job) => job.projectId === projectId)
    return own.map((job) => this.#settle(job))
  }

  message(id: string, prompt: string): LocalJob {
    const job = this.#known(id)
    const at = this.#options.now()
    const { followUp = this.#default } = job.run.plan
    const plan = { ...followUp, followUp }
    return this.#start({
      ...restart(job, plan, at),
      messages: [...job.messages, { at, prompt }],
    })
  }

  /** Ends an active job immediately. @throws Error if there is no such job. */
  readonly finish = (id: string, ending: JobEnding): LocalJob =>
    this.#save(end(this.#known(id), ending, this.#options.now()))

  /** Shows this link at once and after later runs. It isn't validated, so that tests can pass an invalid one. */
  readonly setPrLink = (id: string, link: string): LocalJob => {
    const job = this.#known(id)
    return this.#save({ ...job, prLink: link, pull: { ...job.pull, link } })
  }

  /** Queues plans for the next created jobs. */
  readonly plan = (...plans: JobPlan[]): void => {
    this.#planned.push(...plans)
  }

  /** Sets the plan of every later job that has none of its own. */
  readonly planAll = (plan: JobPlan): void => {
    this.#default = plan
  }

  close(): void {
    this.#closing.abort()
  }

  #known(id: string): LocalJob {
    const job = this.get(id)
    if (!job) throw new Error(`There is no job ${JSON.stringify(id)}; create it first`)
    return job
  }

  #settle(job: LocalJob): LocalJob {
    const settled = advance(job, this.#options.now())
    return settled === job ? job : this.#save(settled)
  }

  #save(job: LocalJob): LocalJob {
    this.#jobs.set(job.id, job)
    this.#options.onChange(job)
    return job
  }

  #nextPullNumber(repository: string): number {
    const number = this.#pullCounts.get(repository) ?? FIRST_PULL_NUMBER
    this.#pullCounts.set(repository, number + 1)
    return number
  }

  /** Saves a job whose run starts, and looks at it when the plan changes it. */
  #start(job: LocalJob): LocalJob {
    const { ending, afterMs, prAfterMs = afterMs } = job.run.plan
    const waits = ending === "never" ? [prAfterMs] : [prAfterMs, afterMs]
    for (const wait of waits) {
      // Timers of Node can be a millisecond early.
      const ms = Math.min(wait + 1, MAX_TIMER_MS)
      sleep(ms, undefined, { ref: false, signal: this.#closing.signal }).then(
        () => this.get(job.id),
        () => undefined,
      )
    }
    return this.#save(job)
  }
}
