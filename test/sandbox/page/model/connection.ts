import { useEffect, useState } from "preact/hooks"
import type { Update } from "../../workspace/wire.ts"
import { apply, type Model, modelOf } from "./model.ts"

const FRAME_MS = 16
const AGAIN_MS = 1000

export interface Connection {
  readonly model: Model | undefined
  readonly connected: boolean
}

/** Returns the workspace from the event stream: first the whole state, then every change. */
export function useConnection(): Connection {
  const [model, setModel] = useState<Model | undefined>()
  const [connected, setConnected] = useState(true)
  useEffect(() => {
    let waiting: Update[] = []
    let drawing: ReturnType<typeof setTimeout> | undefined
    let opening: ReturnType<typeof setTimeout> | undefined
    let source = open()

    function draw(): void {
      const updates = waiting
      waiting = []
      drawing = undefined
      setModel((before) => updates.reduce(next, before))
    }

    function open(): EventSource {
      const opened = new EventSource("/api/events")
      opened.onopen = () => setConnected(true)
      opened.onmessage = ({ data }: MessageEvent<string>) => {
        waiting.push(JSON.parse(data))
        drawing ??= setTimeout(draw, FRAME_MS)
      }
      opened.onerror = () => {
        setConnected(false)
        // The browser reconnects to a server that is down, but not to one that refused.
        if (opened.readyState !== EventSource.CLOSED) return
        opening = setTimeout(() => {
          source = open()
        }, AGAIN_MS)
      }
      return opened
    }

    return () => {
      clearTimeout(drawing)
      clearTimeout(opening)
      source.close()
    }
  }, [])
  return { model, connected }
}

function next(model: Model | undefined, update: Update): Model | undefined {
  if (update.type === "state") return modelOf(update.state)
  return model && apply(model, update)
}
