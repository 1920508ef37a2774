/** Adds an entry to a log of at most `limit`, so that long runs don't grow without end. */
export function remember<T>(log: T[], entry: T, limit: number): void {
  log.push(entry)
  if (log.length > limit) log.shift()
}
