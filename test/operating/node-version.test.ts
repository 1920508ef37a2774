import { expect, test } from "vitest"
import { refuseOldNode } from "../../src/lib/node-version.ts"
import { readDocument } from "../helpers/documents.ts"

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
  const { engines } = JSON.parse(readDocument("package.json"))
  expect(engines).toEqual({ node: "^20.19.0 || ^22.13.0 || >=24" })
})

test("the check of Node's version loads nothing, because it runs before anything is known to load", () => {
  expect(readDocument("src/main.ts").match(/^import .*/gm)).toEqual([
    'import { refuseOldNode } from "./lib/node-version.ts"',
  ])
  expect(readDocument("src/lib/node-version.ts")).not.toMatch(/\bimport\b.* from/)
})
