import { describe, expect, it } from "vitest"
import type { VisitorsPage } from "../../../src/ports/docs-api.ts"
import { walk } from "../../../src/visitors/walk.ts"

const row = (n: number) => ({ path: `/p${n}`, human: n, ai: 0, total: n })
const numbers = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i)

/** A service that gives these pages, one after the other, and remembers the offsets asked for. */
function service(...pages: { rows: number[]; hasMore: boolean }[]) {
  const offsets: number[] = []
  const read = async (offset: number): Promise<VisitorsPage> => {
    const page = pages[Math.min(offsets.length, pages.length - 1)]
    offsets.push(offset)
    return {
      totals: { human: 0, ai: 0, total: 0 },
      visitors: (page?.rows ?? []).map(row),
      hasMore: page?.hasMore ?? false,
    }
  }
  return { read, offsets }
}

describe("reading an export", () => {
  it("goes on by the limit while there is more", async () => {
    const { read, offsets } = service(
      { rows: numbers(0, 250), hasMore: true },
      { rows: numbers(250, 250), hasMore: true },
      { rows: numbers(500, 7), hasMore: false },
    )
    const { rows, end, repeats } = await walk(read, 10)
    expect(offsets).toEqual([0, 250, 500])
    expect(rows).toHaveLength(507)
    expect([end, repeats]).toEqual(["complete", 0])
  })

  it("stops at an empty page that announces more", async () => {
    const { read, offsets } = service({ rows: [1, 2], hasMore: true }, { rows: [], hasMore: true })
    expect(await walk(read, 10)).toMatchObject({ end: "empty_page", repeats: 0 })
    expect(offsets).toHaveLength(2)
  })

  it("stops at a page that came before", async () => {
    const { read, offsets } = service({ rows: [1, 2], hasMore: true })
    const { rows, end, repeats } = await walk(read, 10)
    expect(rows).toHaveLength(2)
    expect([end, repeats]).toEqual(["repeated_page", 0])
    expect(offsets).toHaveLength(2)
  })

  it("counts single rows that came again, and keeps the first", async () => {
    const { read } = service({ rows: [1, 2], hasMore: true }, { rows: [2, 3], hasMore: false })
    expect(await walk(read, 10)).toMatchObject({ end: "complete", repeats: 1, rows: { length: 3 } })
  })

  it("stops at the ceiling when the end never comes", async () => {
    let page = 0
    const read = async () => ({
      totals: { human: 0, ai: 0, total: 0 },
      visitors: [row(page++)],
      hasMore: true,
    })
    expect(await walk(read, 10)).toMatchObject({ end: "cut" })
    expect(page).toBe(10)
  })

  it("gives nothing when a page in the middle fails", async () => {
    const read = async (offset: number): Promise<VisitorsPage> => {
      if (offset > 0) throw new Error("gone")
      return { totals: { human: 0, ai: 0, total: 0 }, visitors: [row(1)], hasMore: true }
    }
    await expect(walk(read, 10)).rejects.toThrow("gone")
  })
})
