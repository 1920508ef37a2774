import type { Channel } from "../workspace/model.ts"

/** Where a message is shown, or by which way it comes. */
export type RefusalPlace = "channel" | "direct" | "ephemeral" | "response_url"

/**
 * In which words the blocks are refused. The last two are answers of a response URL: a status of 400
 * with a bare word, and a page of some gateway with status 200.
 */
type RefusalWords = "invalid_blocks" | "invalid_arguments" | "bare_word" | "odd_body"

/** Kinds of block that this workspace does not take yet: everywhere, or in some places. */
export interface Refuse {
  readonly charts?: boolean | readonly RefusalPlace[] | undefined
  readonly tables?: boolean | readonly RefusalPlace[] | undefined
  readonly words?: RefusalWords | undefined
}

export interface Refusals {
  readonly words: RefusalWords
  /** The block types that are refused in one of these places. */
  at(places: readonly RefusalPlace[]): ReadonlySet<string>
}

const EVERYWHERE: readonly RefusalPlace[] = ["channel", "direct", "ephemeral", "response_url"]

export function createRefusals(refuse: Refuse = {}): Refusals {
  const charts = placesIn(refuse.charts)
  const tables = placesIn(refuse.tables)
  return {
    words: refuse.words ?? "invalid_blocks",
    at(places) {
      const types: string[] = []
      if (places.some((place) => charts.includes(place))) types.push("data_visualization")
      if (places.some((place) => tables.includes(place))) types.push("table", "data_table")
      return new Set(types)
    },
  }
}

export function placeOf(channel: Channel): RefusalPlace[] {
  return [channel.kind === "im" ? "direct" : "channel"]
}

function placesIn(refused: boolean | readonly RefusalPlace[] | undefined) {
  if (refused === true) return EVERYWHERE
  return refused === false || refused === undefined ? [] : refused
}
