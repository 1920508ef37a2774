/**
 * Form in which blocks are refused. The last two are responses of a response URL: status 400 with a
 * single word, and a gateway's page with status 200.
 */
type RefusalWords = "invalid_blocks" | "invalid_arguments" | "bare_word" | "odd_body"

/** Blocks that this workspace doesn't accept yet. */
export interface Refuse {
  /** True if it refuses charts everywhere, `private` if only in messages for one person. */
  readonly charts?: boolean | "private" | undefined
  readonly tables?: boolean | undefined
  readonly words?: RefusalWords | undefined
}

export function createRefusals({ charts, tables, words = "invalid_blocks" }: Refuse = {}) {
  return {
    words,
    /** Returns the block types that are refused. */
    at({ isPrivate }: { isPrivate: boolean }): ReadonlySet<string> {
      const isChartRefused = charts === true || (charts === "private" && isPrivate)
      return new Set([
        ...(isChartRefused ? ["data_visualization"] : []),
        ...(tables ? ["table", "data_table"] : []),
      ])
    },
  }
}
