/** Returns the maximum number of these times in any span of this length. */
export function mostIn(spanMs: number, moments: readonly number[]): number {
  const times = moments.toSorted((a, b) => a - b)
  let [most, from] = [0, 0]
  for (const [i, at] of times.entries()) {
    while (at - (times[from] ?? at) >= spanMs) from += 1
    most = Math.max(most, i - from + 1)
  }
  return most
}
