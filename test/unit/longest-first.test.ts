import { existsSync } from "node:fs"
import { expect, test } from "vitest"
import { LONGEST } from "../helpers/longest-first.ts"

test.each(LONGEST)("%s, which begins first, is there", (file) => {
  expect(existsSync(new URL(`../../${file}`, import.meta.url))).toBe(true)
})
