import { z } from "zod"
import { type JobPlan, jobEndingSchema, jobPlanSchema, type LocalJob } from "./agent-job.ts"
import { type ActiveFault, faultSchema } from "./faults.ts"
import type { Project } from "./project.ts"
import type { WindowState } from "./rolling-window.ts"
import type { DocsService } from "./service.ts"

/** State shown by a control panel, as plain JSON without API keys. */
export interface ControlSnapshot {
  readonly url: string
  readonly projects: readonly ProjectSnapshot[]
  readonly plans: { readonly next: readonly JobPlan[]; readonly later: JobPlan }
  readonly faults: readonly ActiveFault[]
}

export interface ProjectSnapshot extends Omit<Project, "key"> {
  readonly hour: WindowState
  readonly jobs: readonly LocalJob[]
}

const jobId = z.string().min(1)

const controlCommandSchema = z.discriminatedUnion("do", [
  z.strictObject({ do: z.literal("plan_next"), plan: jobPlanSchema }),
  z.strictObject({ do: z.literal("plan_all"), plan: jobPlanSchema }),
  z.strictObject({ do: z.literal("clear_plans") }),
  z.strictObject({ do: z.literal("finish"), jobId, ending: jobEndingSchema }),
  z.strictObject({ do: z.literal("reactivate"), jobId, plan: jobPlanSchema.optional() }),
  z.strictObject({ do: z.literal("fail"), fault: faultSchema }),
  z.strictObject({ do: z.literal("clear_fault"), id: z.string() }),
  z.strictObject({ do: z.literal("clear_faults") }),
  z.strictObject({
    do: z.literal("spend_elsewhere"),
    projectId: z.string(),
    n: z.number().int().min(1).max(1_000),
    of: z.enum(["create", "message", "preview", "analytics"]).default("create"),
  }),
])

export type ControlCommand = z.input<typeof controlCommandSchema>
type ParsedCommand = z.output<typeof controlCommandSchema>

export type ControlAnswer =
  | { readonly ok: true; readonly snapshot: ControlSnapshot }
  | { readonly ok: false; readonly error: string }

/** Returns the service's current state, with at most `latest` jobs of each project. */
export function controlSnapshot(service: DocsService, latest = 50): ControlSnapshot {
  return {
    url: service.url,
    projects: service.projects.map((project) => ({
      ...project,
      hour: service.hour(project.id),
      jobs: service.jobs(project.id).slice(-latest).toReversed(),
    })),
    plans: service.plans(),
    faults: service.faults(),
  }
}

/** Runs one command. An invalid command changes nothing and returns the reason. */
export function control(service: DocsService, command: unknown): ControlAnswer {
  const parsed = controlCommandSchema.safeParse(command)
  if (!parsed.success) return { ok: false, error: z.prettifyError(parsed.error) }
  const error = obstacle(service, parsed.data)
  if (error !== undefined) return { ok: false, error }
  carryOut(service, parsed.data)
  return { ok: true, snapshot: controlSnapshot(service) }
}

/** Returns an error if the command names a job, fault or project that doesn't exist. */
function obstacle(service: DocsService, command: ParsedCommand): string | undefined {
  if ("jobId" in command && !service.job(command.jobId)) return `There is no job ${command.jobId}`
  if (command.do === "clear_fault" && !service.faults().some(({ id }) => id === command.id)) {
    return `There is no fault ${command.id}`
  }
  if ("projectId" in command && !service.projects.some(({ id }) => id === command.projectId)) {
    return `There is no project ${command.projectId}`
  }
  return undefined
}

function carryOut(service: DocsService, command: ParsedCommand): void {
  switch (command.do) {
    case "plan_next":
      service.plan(command.plan)
      break
    case "plan_all":
      service.planAll(command.plan)
      break
    case "clear_plans":
      service.clearPlans()
      break
    case "finish":
      service.finish(command.jobId, command.ending)
      break
    case "reactivate":
      service.reactivate(command.jobId, command.plan)
      break
    case "fail":
      service.fail(command.fault)
      break
    case "clear_fault":
      service.clearFault(command.id)
      break
    case "clear_faults":
      service.clearFaults()
      break
    case "spend_elsewhere":
      service.spendElsewhere(command.projectId, command.n, command.of)
      break
  }
}
