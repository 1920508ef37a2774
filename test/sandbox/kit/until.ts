export interface UntilOptions {
  readonly timeoutMs?: number | undefined
}

/**
 * Resolves with the result of `probe` once it is neither false nor undefined, checking now and
 * after every change.
 * @throws Error with `dump()` at the timeout, or what `probe` throws.
 */
export function until<T>(
  changes: { subscribe(listener: () => void): () => void },
  probe: () => T | undefined | false,
  dump: () => string,
  { timeoutMs = 45_000 }: UntilOptions = {},
): Promise<T> {
  return new Promise((resolve, reject) => {
    const finish = (act: () => void) => {
      clearTimeout(timer)
      unsubscribe()
      act()
    }
    const look = () => {
      try {
        const found = probe()
        if (found !== undefined && found !== false) finish(() => resolve(found))
      } catch (error) {
        finish(() => reject(error))
      }
    }
    const unsubscribe = changes.subscribe(look)
    const timer = setTimeout(() => {
      const message = `The awaited state didn't occur within ${timeoutMs} ms.\n${dump()}`
      finish(() => reject(new Error(message)))
    }, timeoutMs)
    look()
  })
}
