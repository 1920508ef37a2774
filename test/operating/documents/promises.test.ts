import { readdirSync, readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { readDocument } from "../../helpers/documents.ts"

const TESTS = new URL("../../", import.meta.url)

/** Promises about processes or a redis-server, which only tests of the project `system` start. */
const HELD_BY_PROCESSES = ["OPS-6", "OPS-11", "OPS-13"]

/** Title that names promises, such as `"LIM-3, LIM-4: a card …"`, of a test or of a group of tests. */
const TITLE = /["`]((?:(?:ASK|LIM|FOL|PUL|VIS|OPS|SAFE)-\d+(?:, |: ))+)/g

const promised = [...readDocument(".github/PROMISES.md").matchAll(/^- ([A-Z]+-\d+): /gm)].map(
  ([, id = ""]) => id,
)

/** Returns the promises that are named in titles of the files whose path matches. */
function named(path: RegExp): Set<string> {
  const files = readdirSync(TESTS, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".test.ts") && path.test(file),
  )
  const titles = files.flatMap((file) => [
    ...readFileSync(new URL(file, TESTS), "utf8").matchAll(TITLE),
  ])
  return new Set(titles.flatMap(([, ids = ""]) => ids.split(/, |: /).filter((id) => id !== "")))
}

test("each promise has one ID, and each heading counts its own from 1", () => {
  const counted = promised.map((id, n) => {
    const [heading = ""] = id.split("-")
    const before = promised.slice(0, n).filter((other) => other.startsWith(`${heading}-`))
    return `${heading}-${before.length + 1}`
  })
  expect(promised).toEqual(counted)
})

test("each promise is held by a test that `npm test` runs", () => {
  const held = named(/^[\w-]+\/(documents\/)?[\w.-]+$/)
  const withoutTest = promised.filter((id) => !held.has(id))
  expect(withoutTest.filter((id) => !HELD_BY_PROCESSES.includes(id))).toEqual([])
})

test("a promise about processes is held by a test that starts some", () => {
  const held = named(/^[\w-]+\/system\//)
  expect(HELD_BY_PROCESSES.filter((id) => !held.has(id))).toEqual([])
})

test("no test names a promise that the document does not have", () => {
  expect([...named(/^/)].filter((id) => !promised.includes(id))).toEqual([])
})
