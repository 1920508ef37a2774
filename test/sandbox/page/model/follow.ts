import type { Update } from "../../workspace/wire.ts"

/** How soon a refused stream is asked for again; ms. */
const AGAIN_MS = 1000

interface Listener {
  readonly update: (update: Update) => void
  readonly connected: (connected: boolean) => void
}

/** Hears of every change after the one a cursor stands for, once each, until the returned call. */
export function follow(cursor: string, { update, connected }: Listener): () => void {
  let known = cursor
  let source = open()
  let timer: ReturnType<typeof setTimeout> | undefined

  function open(): EventSource {
    const opened = new EventSource(`/api/events?since=${encodeURIComponent(known)}`)
    opened.onopen = () => connected(true)
    opened.onmessage = ({ data, lastEventId }: MessageEvent<string>) => {
      known = lastEventId
      update(JSON.parse(data))
    }
    opened.onerror = () => {
      connected(false)
      if (opened.readyState === EventSource.CLOSED) timer = setTimeout(reopen, AGAIN_MS)
    }
    return opened
  }

  /** The browser itself only comes back to who is away, not to who answers that it is starting. */
  function reopen(): void {
    source = open()
  }

  return () => {
    clearTimeout(timer)
    source.close()
  }
}
