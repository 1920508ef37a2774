import { relative } from "node:path"
import { BaseSequencer, type TestSpecification } from "vitest/node"

/** Files that take long for their size, by which vitest orders them; the longest first. */
export const LONGEST = [
  "test/system/burst.test.ts",
  "test/system/chaos.test.ts",
  "test/system/shutdown.test.ts",
  "test/system/cluster.test.ts",
  "test/system/readme.test.ts",
  "test/system/half-requests.test.ts",
  "test/system/redis-away.test.ts",
  "test/system/agent-sessions.test.ts",
  "test/integration/visitors-alerts.test.ts",
  "test/integration/follow-ups.test.ts",
  "test/integration/visitors-export.test.ts",
  "test/integration/in-doubt.test.ts",
  "test/integration/pull-life.test.ts",
  "test/integration/hostile-requests.test.ts",
  "test/integration/preview.test.ts",
  "test/integration/agent-sessions.test.ts",
  "test/integration/doctor.test.ts",
  "test/integration/phrasings.test.ts",
  "test/integration/doctor-after-the-link.test.ts",
  "test/integration/creation-slots.test.ts",
  "test/integration/damaged-store.test.ts",
  "test/integration/hostile-parties.test.ts",
  "test/unit/hostile-text.test.ts",
  "test/unit/secret-filter.test.ts",
]

/** What begins last keeps one worker busy while the others have nothing left: it has to be short. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    // The projects stay in the order that vitest gave them.
    const projects = [...new Set(sorted.map(({ project }) => project))]
    const place = ({ moduleId }: TestSpecification) => {
      const found = LONGEST.indexOf(relative(this.ctx.config.root, moduleId))
      return found === -1 ? LONGEST.length : found
    }
    return projects.flatMap((one) =>
      sorted.filter(({ project }) => project === one).toSorted((a, b) => place(a) - place(b)),
    )
  }
}
