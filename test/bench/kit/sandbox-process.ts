import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startSandbox } from "../../sandbox/workspace/start/start-sandbox.ts"
import { endWithParent } from "./child.ts"

/** The sandbox as `npm run sandbox` starts it; ready at a URL. */
const folder = await mkdtemp(join(tmpdir(), "docs-agent-page-"))
const sandbox = await startSandbox(
  { port: 0, mode: "http", keep: false, story: false },
  { PATH: process.env.PATH, DATA_DIR: folder },
)
endWithParent()
process.on("message", () => void stop())
process.send?.(sandbox.url)

async function stop(): Promise<void> {
  await sandbox.stop()
  await rm(folder, { recursive: true, force: true })
  process.send?.("stopped")
}
