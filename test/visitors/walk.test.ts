import { describe, expect, it } from "vitest"
import type { VisitorsPage } from "../../src/docs-service/docs-client.ts"
import { walk } from "../../src/visitors/read-visitors.ts"

const numbers = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i)

/** Returns a service with these pages that repeats the last one and records requested offsets. */
function service(...pages: { rows: number[]; hasMore: boolean }[]) {
  const offsets: number[] = []
  const read = async (offset: number): Promise<VisitorsPage> => {
    const page = pages[Math.min(offsets.length, pages.length - 1)]
    offsets.push(offset)
    return {
      totals: { human: 0, ai: 0, total: 0 },
      visitors: (page?.rows ?? []).map((n) => ({ path: `/p${n}`, human: n, ai: 0, total: n })),
      hasMore: page?.hasMore ?? false,
    }
  }
  return { read, offsets }
}

describe("reading an export", () => {
  it("keeps a row once that moved while it was read, and says so", async () => {
    const { read } = service({ rows: [1, 2, 3], hasMore: true }, { rows: [3, 4], hasMore: false })
    const { rows, end } = await walk(read, 10)
    expect(rows.map(({ human }) => human)).toEqual([1, 2, 3, 4])
    expect(end).toBe("doubtful")
  })

  it("says that rows may be missing behind a short page that announces more", async () => {
    const { read } = service(
      { rows: numbers(0, 100), hasMore: true },
      { rows: numbers(250, 7), hasMore: false },
    )
    expect(await walk(read, 10)).toMatchObject({ end: "doubtful" })
  })
})
