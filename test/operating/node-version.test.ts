import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { z } from "zod"
import { refuseOldNode } from "../../src/lib/node-version.ts"

test.each(["18.19.0", "20.18.3", "21.7.0", "22.12.0", "23.11.0"])(
  "Node %s is refused",
  (version) => {
    expect(refuseOldNode(version)).toMatch(`This is Node ${version}.`)
    expect(refuseOldNode(version)).not.toContain("\n")
  },
)

test.each(["20.19.0", "20.20.2", "22.13.0", "24.0.0", "26.1.0"])("Node %s will do", (version) => {
  expect(refuseOldNode(version)).toBeUndefined()
})

test("what is refused is what package.json does not name", () => {
  const manifest = z.object({ engines: z.object({ node: z.string() }) })
  const file = new URL("../../package.json", import.meta.url)
  const { engines } = manifest.parse(JSON.parse(readFileSync(file, "utf8")))
  expect(engines.node).toBe("^20.19.0 || ^22.13.0 || >=24")
})

test("the check of Node's version loads nothing, because it runs before anything is known to load", () => {
  const main = readFileSync(new URL("../../src/main.ts", import.meta.url), "utf8")
  expect(main.match(/^import .*/gm)).toEqual([
    'import { refuseOldNode } from "./lib/node-version.ts"',
  ])
  const guard = new URL("../../src/lib/node-version.ts", import.meta.url)
  expect(readFileSync(guard, "utf8")).not.toMatch(/\bimport\b.* from/)
})
