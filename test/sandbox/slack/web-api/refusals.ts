import type { Channel } from "../workspace/model.ts"

/** Place of a message, or the way it is sent. */
export type RefusalPlace = "channel" | "direct" | "ephemeral" | "response_url"

/**
 * Form in which blocks are refused. The last two are responses of a response URL: status 400 with a
 * single word, and a gateway's page with status 200.
 */
type RefusalWords = "invalid_blocks" | "invalid_arguments" | "bare_word" | "odd_body"

/** Blocks that this workspace doesn't accept yet, everywhere or in some places. */
export interface Refuse {
  readonly charts?: boolean | readonly RefusalPlace[] | undefined
  readonly tables?: boolean | readonly RefusalPlace[] | undefined
  readonly words?: RefusalWords | undefined
}

const EVERYWHERE: readonly RefusalPlace[] = ["channel", "direct", "ephemeral", "response_url"]

export function createRefusals(refuse: Refuse = {}) {
  const charts = placesIn(refuse.charts)
  const tables = placesIn(refuse.tables)
  return {
    words: refuse.words ?? "invalid_blocks",
    /** Returns the block types that are refused in one of these places. */
    at(places: readonly RefusalPlace[]): ReadonlySet<string> {
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
