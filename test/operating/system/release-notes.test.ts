import { spawnSync } from "node:child_process"
import { expect, test } from "vitest"
import { readDocument } from "../../helpers/documents.ts"

test("OPS-21: a release's text is its section of the changelog, and a version without one is refused", () => {
  const notes = (version: string) =>
    spawnSync("bash", [".ci/release-notes.sh", version], { encoding: "utf8" })
  const { status, stdout } = notes("0.1.0")
  expect(status).toBe(0)
  expect(readDocument("CHANGELOG.md")).toContain(stdout.trimEnd())
  expect(stdout).not.toMatch(/^## /m)
  expect(notes("9.9.9").status).toBe(1)
})
