import { readdirSync, readFileSync } from "node:fs"
import { expect, test } from "vitest"

const PATCHES = new URL("../mutants/patches/", import.meta.url)

/** Returns the lines that a patch expects in a file, hunk by hunk, without those that it adds. */
function expectedBy(patch: string): string[] {
  const [, ...hunks] = patch.split(/^@@.*\n/m)
  return hunks.map((hunk) =>
    hunk
      .split("\n")
      .filter((line) => /^[ -]/.test(line))
      .map((line) => line.slice(1))
      .join("\n"),
  )
}

test.each(readdirSync(PATCHES))("the mutants break the code as it is: %s", (name) => {
  const patch = readFileSync(new URL(name, PATCHES), "utf8")
  const [, path = ""] = /^--- a\/(.+)$/m.exec(patch) ?? []
  const source = readFileSync(new URL(`../../${path}`, import.meta.url), "utf8")
  for (const lines of expectedBy(patch)) expect(source).toContain(lines)
})
