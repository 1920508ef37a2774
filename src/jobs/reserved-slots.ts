/** Number of creations in the hour below which a person may use its reserved slots. */
export const LIGHT_USER_CREATIONS = 5

/** Returns whether this person may use the reserved slots, as `isLight` in `store/reserve-slot.ts`. */
export function mayUseReserved(log: readonly { user: string }[], user: string): boolean {
  return log.filter((entry) => entry.user === user).length < LIGHT_USER_CREATIONS
}
