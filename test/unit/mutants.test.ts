import { existsSync, readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { MUTANTS } from "../mutants/list/all.ts"
import { broken, testFiles } from "../mutants/mutant.ts"

const ROOT = new URL("../../", import.meta.url)
const read = (file: string) => readFileSync(new URL(file, ROOT), "utf8")

test.each(MUTANTS.map((mutant) => [mutant.name, mutant] as const))(
  "%s still has its place in the source, and its tests",
  (_, mutant) => {
    const source = read(mutant.file)
    expect(broken(mutant, source)).not.toBe(source)
    const lost = testFiles(mutant).filter((file) => !existsSync(new URL(file, ROOT)))
    expect(lost).toEqual([])
  },
)

test("each has a name of its own", () => {
  const names = MUTANTS.map(({ name }) => name)
  expect(names).toEqual([...new Set(names)])
})
