import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onTestFinished } from "vitest"

/** Makes an empty folder for the rest of the test. */
export async function temporaryFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "docs-agent-"))
  onTestFinished(() => rm(path, { recursive: true, force: true }))
  return path
}
