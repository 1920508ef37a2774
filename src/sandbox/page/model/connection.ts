import { useLayoutEffect, useState } from "preact/hooks"
import type { Update } from "../../workspace/wire.ts"
import { apply, type Model } from "./model.ts"

/** Bursts of updates are drawn together; ms. */
const FRAME_MS = 16

export interface Connection {
  readonly model: Model | undefined
  readonly connected: boolean
}

/** Follows the workspace. The first update of each connection is the whole state. */
export function useConnection(): Connection {
  const [connection, setConnection] = useState<Connection>({ model: undefined, connected: false })
  // Before the first paint and not after it: there is nothing to see until the state is here.
  useLayoutEffect(() => {
    let waiting: Update[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const draw = () => {
      const updates = waiting
      waiting = []
      clearTimeout(timer)
      timer = undefined
      setConnection(({ model }) => ({ model: updates.reduce(apply, model), connected: true }))
    }
    const source = new EventSource("/api/events")
    source.onmessage = ({ data }: MessageEvent<string>) => {
      const update: Update = JSON.parse(data)
      waiting.push(update)
      if (update.type === "state") draw()
      else timer ??= setTimeout(draw, FRAME_MS)
    }
    source.onerror = () => setConnection(({ model }) => ({ model, connected: false }))
    return () => {
      clearTimeout(timer)
      source.close()
    }
  }, [])
  return connection
}
