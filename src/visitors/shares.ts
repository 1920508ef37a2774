/** How one hour of analytics requests is shared. */
interface Shares {
  /** The most for one person while others ask. */
  half: number
  /** What exports, and people who used as much already, leave to those who ask for the first time. */
  people: number
  /** What is left to digests, as long as anybody subscribed. */
  digests: number
}

/** Pure. An hour of a few requests is too short to be divided further than by half. */
export function sharesOf(perHour: number): Shares {
  return {
    half: Math.max(1, Math.floor(perHour / 2)),
    people: Math.floor(perHour / 5),
    digests: Math.floor(perHour / 10),
  }
}
