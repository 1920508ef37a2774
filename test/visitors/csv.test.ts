import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { csvCell, csvFile } from "../../src/lib/csv-file.ts"
import { fileNameOf } from "../../src/visitors/csv-export.ts"
import { anyText, holds } from "../helpers/property.ts"

/** Reads CSV by the rules of RFC 4180, independently of the writer. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [[]]
  const pattern = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/gy
  for (let at = 0; at < text.length; at = pattern.lastIndex) {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (!found) throw new Error(`not CSV at ${at}: ${text.slice(at, at + 20)}`)
    rows.at(-1)?.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? "")
    if (found[3] === "\r\n") rows.push([])
  }
  return rows.slice(0, -1)
}

const path = fc.oneof(
  anyText(),
  fc.string({
    unit: fc.constantFrom(...Array.from("\",\r\n=+-@\t /;'＝＋－＠")),
  }),
)

/** Removes apostrophes in places where the writer may add one. */
const withoutMarks = (text: string) => text.replaceAll(/^'(?=[\t\r\n])|'(?=[=+\-@＝＋－＠])/g, "")

describe("the CSV", () => {
  it("reads back as what was written, apart from the apostrophe before a formula", async () => {
    const row = fc.record({ path, human: fc.nat(), ai: fc.nat(), total: fc.nat() })
    await holds(
      fc.property(fc.array(row, { minLength: 1 }), (rows) => {
        const cells = rows.map((of) => [of.path, `${of.human}`, `${of.ai}`, `${of.total}`])
        const [, ...back] = readCsv(csvFile(["path"], cells).toString())
        expect(back).toHaveLength(rows.length)
        for (const [i, row] of rows.entries()) {
          expect(withoutMarks(back[i]?.[0] ?? "")).toBe(withoutMarks(row.path))
          expect(back[i]?.slice(1)).toEqual([row.human, row.ai, row.total].map(String))
        }
      }),
    )
  })

  it("has no cell that a spreadsheet takes for a formula", async () => {
    await holds(
      fc.property(path, (text) => {
        const [[cell = ""] = []] = readCsv(`${csvCell(text)}\r\n`)
        expect(cell).not.toMatch(/^\s*[=+\-@＝＋－＠]|^[\t\r\n]/)
      }),
      500,
    )
  })

  it("has none either for one that expects another separator and passes over our quotes", async () => {
    await holds(
      fc.property(path, path, (one, other) => {
        const cells = `${csvCell(one)},${csvCell(other)}`.split(/[;\t\r\n]/)
        for (const cell of cells) expect(cell).not.toMatch(/^[\s"]*[=+\-@＝＋－＠]/)
      }),
      500,
    )
  })

  it.each([
    ["/guides/start", "/guides/start"],
    ['=HYPERLINK("https://example.com")', `"'=HYPERLINK(""https://example.com"")"`],
    ["@cmd", "'@cmd"],
    [" =1+1", '" \'=1+1"'],
    ["/a;=1+1", '"/a;\'=1+1"'],
    ["/a\t=1+1", '"/a\t\'=1+1"'],
    ["a\n- b", '"a\n\'- b"'],
    ["/a;b-c=d", '"/a;b-c=d"'],
    ["/a,b", '"/a,b"'],
    ["/日本語", "/日本語"],
    ["<script>", "<script>"],
  ])("writes %s as %s", (text, cell) => {
    expect(csvCell(text)).toBe(cell)
  })

  it("is named by project and range", () => {
    const range = { from: "2026-11-01", to: "2026-11-07" }
    expect(fileNameOf("acme docs/../x", range, false)).toBe(
      "docs-visitors_acme-docs-..-x_2026-11-01_2026-11-07.csv",
    )
  })
})
