import { readdirSync } from "node:fs"
import { expect, test } from "vitest"
import { z } from "zod"
import { readDocument } from "../helpers/documents.ts"

const lockFile = z.object({
  packages: z.record(
    z.string(),
    z.looseObject({
      dev: z.boolean().optional(),
      resolved: z.string().optional(),
      integrity: z.string().optional(),
      hasInstallScript: z.boolean().optional(),
    }),
  ),
})

const { packages } = lockFile.parse(JSON.parse(readDocument("package-lock.json")))
const installed = Object.entries(packages).filter(([path]) => path !== "")

test("nothing that runs in production runs a script of its own when it is installed", () => {
  const scripted = installed.filter(([, entry]) => !entry.dev && entry.hasInstallScript)
  expect(scripted.map(([path]) => path)).toEqual([])
})

test("the lock file names no host, and pins the content of every package", () => {
  expect(installed.filter(([, { resolved }]) => resolved).map(([path]) => path)).toEqual([])
  const loose = installed.filter(([, { integrity }]) => !integrity?.startsWith("sha512-"))
  expect(loose.map(([path]) => path)).toEqual([])
})

test("production has few packages, so that each can be known", () => {
  expect(installed.filter(([, entry]) => !entry.dev).length).toBeLessThan(160)
})

test("every action of the workflows is pinned by its commit, as a tag can be moved", () => {
  const names = readdirSync(new URL("../../.github/workflows/", import.meta.url))
  const texts = names.map((name) => readDocument(`.github/workflows/${name}`))
  const used = texts.flatMap((text) => text.match(/(?<=uses:).*/g) ?? [])
  expect(used.length).toBeGreaterThan(0)
  expect(used.filter((action) => !/^ \S+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([])
})
