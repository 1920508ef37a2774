/**
 * The work's result; or `instead`, as soon as the signal aborts. The work then continues, and its result
 * is ignored. For work that cannot be cancelled and is no longer worth waiting for.
 */
export function raceAbort<T, Instead>(
  signal: AbortSignal,
  work: Promise<T>,
  instead: Instead,
): Promise<T | Instead> {
  return new Promise((resolve, reject) => {
    const give = () => resolve(instead)
    if (signal.aborted) give()
    signal.addEventListener("abort", give, { once: true })
    const done = () => signal.removeEventListener("abort", give)
    work.then(resolve, reject).finally(done).catch(reject)
  })
}
