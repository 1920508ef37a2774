import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onTestFinished } from "vitest"

/** Makes an empty folder in which workers remember what they sent, for the rest of the test. */
export async function aDataDir(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "docs-agent-memory-"))
  onTestFinished(() => rm(path, { recursive: true }))
  return path
}
