/**
 * Starts measuring; the result tells the ms since. A machine that sleeps stops one clock and an
 * operator sets the other, so the larger counts: use it where too much is safe and too little is not.
 */
export function stopwatch(): () => number {
  const wall = Date.now()
  const steady = performance.now()
  return () => Math.max(Date.now() - wall, performance.now() - steady)
}
