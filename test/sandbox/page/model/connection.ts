import { useEffect, useState } from "preact/hooks"
import { type Model, modelOf } from "./model.ts"

/** Returns the latest state of the sandbox from its event stream. */
export function useConnection() {
  const [model, setModel] = useState<Model | undefined>()
  const [connected, setConnected] = useState(true)
  useEffect(() => {
    const source = new EventSource("/api/events")
    source.onopen = () => setConnected(true)
    source.onmessage = ({ data }: MessageEvent<string>) => setModel(modelOf(JSON.parse(data)))
    source.onerror = () => {
      setConnected(false)
      // The browser reconnects by itself, but not to a sandbox that is still starting.
      if (source.readyState === EventSource.CLOSED) location.reload()
    }
    return () => source.close()
  }, [])
  return { model, connected }
}
