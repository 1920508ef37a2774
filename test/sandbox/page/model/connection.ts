import { useEffect, useState } from "preact/hooks"
import { type Model, modelOf } from "./model.ts"

const AGAIN_MS = 1000

/** Returns the latest state of the sandbox from its event stream. */
export function useConnection() {
  const [model, setModel] = useState<Model | undefined>()
  const [connected, setConnected] = useState(true)
  useEffect(() => {
    let opening: ReturnType<typeof setTimeout> | undefined
    let source = open()

    function open(): EventSource {
      const opened = new EventSource("/api/events")
      opened.onopen = () => setConnected(true)
      opened.onmessage = ({ data }: MessageEvent<string>) => setModel(modelOf(JSON.parse(data)))
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
      clearTimeout(opening)
      source.close()
    }
  }, [])
  return { model, connected }
}
