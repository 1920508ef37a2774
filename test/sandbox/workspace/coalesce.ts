/** Calls `act` once for any number of requests within `ms`, after the last of them began to wait. */
export interface Coalesced {
  request(): void
  stop(): void
}

export function coalesce(ms: number, act: () => void): Coalesced {
  let timer: NodeJS.Timeout | undefined
  return {
    request() {
      timer ??= setTimeout(() => {
        timer = undefined
        act()
      }, ms)
    },
    stop() {
      clearTimeout(timer)
      timer = undefined
    },
  }
}
