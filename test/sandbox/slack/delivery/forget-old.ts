/** Kept longer than they live, so that a late use is told apart from an invented id. */
const KEPT_MS = 3_600_000

/** Drops what expired long ago from a map in order of creation, so that long runs stay small. */
export function forgetOld(entries: Map<string, { readonly expiresAt: number }>, now: number): void {
  for (const [id, { expiresAt }] of entries) {
    if (expiresAt + KEPT_MS >= now) return
    entries.delete(id)
  }
}
