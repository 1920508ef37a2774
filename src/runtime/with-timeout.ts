/**
 * The work's result, or after this many ms what `late` returns or throws. The work continues, and its
 * result is there for the next caller.
 */
export async function withTimeout<T, Late>(
  ms: number,
  work: Promise<T>,
  late: () => Late,
): Promise<T | Awaited<Late>> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  return Promise.race([work, timeout.then(late)]).finally(() => clearTimeout(timer))
}
