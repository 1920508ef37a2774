import { z } from "zod"
import { type JobPlan, jobEndingSchema, jobPlanSchema, type LocalJob } from "./agent-job.ts"
import { type ActiveFault, faultSchema } from "./faults.ts"
import type { Project } from "./project.ts"
import type { DocsService } from "./service.ts"
import type { WindowState } from "./windows.ts"

/** State of the service as plain JSON without API keys. */
export interface ControlSnapshot {
  readonly url: string
  readonly projects: readonly ProjectSnapshot[]
  readonly plans: { readonly next: readonly JobPlan[]; readonly later: JobPlan }
  readonly faults: readonly ActiveFault[]
}

interface ProjectSnapshot extends Omit<Project, "key"> {
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
    of: z.enum(["create", "message", "analytics"]).default("create"),
  }),
])

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

/** Runs one command. @throws ZodError, or Error if it names a job or project that doesn't exist. */
export function control(service: DocsService, input: unknown): void {
  const command = controlCommandSchema.parse(input)
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
