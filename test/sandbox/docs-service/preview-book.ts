import type { LocalPreview, PreviewPlan } from "./preview.ts"

/** All requested deployments, oldest first. */
export class PreviewBook {
  readonly all: LocalPreview[] = []
  readonly #origin: () => string

  constructor(origin: () => string) {
    this.#origin = origin
  }

  /** Starts a deployment; deploying a branch again reuses its address. */
  start(projectId: string, branch: string, plan: PreviewPlan, now: number): LocalPreview {
    const preview = {
      statusId: (this.all.length + 1).toString(16).padStart(24, "0"),
      projectId,
      branch,
      previewUrl: `${this.#origin()}/previews/${encodeURIComponent(projectId)}/${slugOf(branch)}`,
      requestedAt: now,
      plan,
    }
    this.all.push(preview)
    return preview
  }

  get(statusId: string): LocalPreview | undefined {
    return this.all.find((preview) => preview.statusId === statusId)
  }

  at(projectId: string, slug: string): LocalPreview | undefined {
    return this.all.findLast(
      (preview) => preview.projectId === projectId && slugOf(preview.branch) === slug,
    )
  }
}

function slugOf(branch: string): string {
  return branch.toLowerCase().replace(/[^a-z0-9]+/g, "-")
}
