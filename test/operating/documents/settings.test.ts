import { describe, expect, test } from "vitest"
import { settings } from "../../../src/config/environment-variables.ts"
import { readDocument } from "../../helpers/documents.ts"

/** Returns a setting's default as an operator would write it, or "required", "unset" or "empty". */
function withoutIt(schema: (typeof settings.shape)[keyof typeof settings.shape]): string {
  const parsed = schema.safeParse(undefined)
  if (!parsed.success) return "required"
  if (parsed.data === undefined) return "unset"
  return parsed.data instanceof Set ? "empty" : String(parsed.data)
}

const wanted = Object.entries(settings.shape).map(
  ([name, schema]) => [name, withoutIt(schema)] as const,
)

test("OPS-17: the table has every setting with its default, and no other", () => {
  const [, table = ""] =
    /<!-- settings:.*?-->(.*)<!-- end of settings -->/s.exec(readDocument(".github/SETTINGS.md")) ??
    []
  const rows = [...table.matchAll(/^\| `(\w+)` \| (.+) \| (.+) \|$/gm)]
  expect(rows.map(([, name, , value = ""]) => [name, value.replaceAll("`", "")])).toEqual(wanted)
  for (const [, , meaning = ""] of rows) expect(meaning.length).toBeGreaterThan(8)
})

describe(".env.example", () => {
  const lines = [...readDocument(".env.example").matchAll(/^(# )?([A-Z_]+)=(.*)$/gm)]

  test("has every setting, and no other", () => {
    const names = lines.map(([, , name = ""]) => name)
    expect(names.toSorted()).toEqual(wanted.map(([name]) => name).toSorted())
  })

  test("shows defaults behind a #, and leaves the rest to be filled in", () => {
    const words = ["required", "unset", "empty"]
    const shown = lines.map(([, commented, name, value]) => [name, commented ? value : ""])
    const meant = wanted.map(([name, value]) => [name, words.includes(value) ? "" : value])
    expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(meant))
  })

  test("can be read as it stands: nothing in it is a fault by itself", () => {
    // Node's env file reader keeps text after a value, so notes have lines of their own.
    expect(lines.filter(([, , , value = ""]) => /[\s#]/.test(value))).toEqual([])
  })
})
