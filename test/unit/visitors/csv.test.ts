import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { csvCell } from "../../../src/text/csv-cell.ts"
import { CSV_HEAD, csvLine, csvName } from "../../../src/visitors/csv.ts"
import { holds } from "../../helpers/property.ts"

/** A reader of RFC 4180, written from the rules and not from the writer. */
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
  fc.string({ unit: "binary" }),
  fc.string({
    unit: fc.constantFrom('"', ",", "\r", "\n", "=", "+", "-", "@", "\t", " ", "/", ";"),
  }),
)

describe("the CSV", () => {
  it("reads back as what was written, apart from the apostrophe before a formula", async () => {
    const row = fc.record({ path, human: fc.nat(), ai: fc.nat(), total: fc.nat() })
    await holds(
      fc.property(fc.array(row, { minLength: 1 }), (rows) => {
        const back = readCsv(rows.map(csvLine).join(""))
        expect(back).toHaveLength(rows.length)
        for (const [i, row] of rows.entries()) {
          expect([row.path, `'${row.path}`]).toContain(back[i]?.[0])
          expect(back[i]?.slice(1)).toEqual([row.human, row.ai, row.total].map(String))
        }
      }),
    )
  })

  it("has no cell that a spreadsheet takes for a formula", async () => {
    await holds(
      fc.property(path, (text) => {
        const [[cell = ""] = []] = readCsv(`${csvCell(text)}\r\n`)
        expect(cell).not.toMatch(/^\s*[=+\-@]|^[\t\r\n]/)
      }),
    )
  })

  it.each([
    ["/guides/start", "/guides/start"],
    ['=HYPERLINK("https://example.com")', `"'=HYPERLINK(""https://example.com"")"`],
    ["@cmd", "'@cmd"],
    [" =1+1", "' =1+1"],
    ["/a,b", '"/a,b"'],
    ["/日本語", "/日本語"],
    ["<script>", "<script>"],
  ])("writes %s as %s", (text, cell) => {
    expect(csvCell(text)).toBe(cell)
  })

  it("starts with a byte order mark and the names of the columns", () => {
    expect(CSV_HEAD).toBe("\ufeffpath,human,ai,total\r\n")
  })

  it("is named by project and range", () => {
    const range = { from: "2026-11-01", to: "2026-11-07" }
    expect(csvName("acme docs/../x", range, false)).toBe(
      "docs-visitors_acme-docs-..-x_2026-11-01_2026-11-07.csv",
    )
    expect(csvName("docs", range, true)).toBe("docs-visitors_docs_2026-11-01_2026-11-07_part.csv")
  })
})
