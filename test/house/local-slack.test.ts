import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, normalize } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"

const TEST = fileURLToPath(new URL("../", import.meta.url))
const SLACK = "sandbox/slack/"
/** Packages that the local Slack may use. */
const PACKAGES = /^(node:|zod$|ws$)/

const files = readdirSync(TEST, { recursive: true, encoding: "utf8" })
  .map((name) => name.replaceAll("\\", "/"))
  .filter((name) => /\.tsx?$/.test(name))

/** Returns what a file imports: other files as paths below `test`, and packages by their names. */
function importsOf(file: string): string[] {
  const imports = readFileSync(join(TEST, file), "utf8").matchAll(/ from "([^"]+)"/g)
  return [...imports].map(([, name = ""]) =>
    name.startsWith(".") ? normalize(join(dirname(file), name)) : name,
  )
}

const isInside = (file: string) => file.startsWith(SLACK)

test("the local Slack knows no bot: it imports only itself, `kit` and two packages", () => {
  const foreign = files.filter(isInside).flatMap((file) =>
    importsOf(file)
      .filter((name) => !isInside(name) && !name.startsWith("sandbox/kit/"))
      .filter((name) => !PACKAGES.test(name))
      .map((name) => `${file} -> ${name}`),
  )
  expect(foreign).toEqual([])
})

test("it has one public file: code outside imports from no other", () => {
  const past = files
    .filter((file) => !isInside(file))
    .flatMap((file) => importsOf(file).map((name) => [file, name] as const))
    .filter(([, name]) => isInside(name) && name !== `${SLACK}index.ts`)
    .map(([file, name]) => `${file} -> ${name}`)
  expect(past).toEqual([])
})
