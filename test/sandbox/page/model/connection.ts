import { useEffect, useState } from "preact/hooks"
import type { FirstState, Update } from "../../workspace/wire.ts"
import { follow } from "./follow.ts"
import { apply, type Model, modelOf } from "./model.ts"

/** Bursts of updates are drawn together; ms. */
const FRAME_MS = 16

export interface Connection {
  readonly model: Model
  readonly connected: boolean
}

/** The workspace as the document came with it, then every change of it. */
export function useConnection(first: FirstState): Connection {
  const [model, setModel] = useState(() => modelOf(first.state))
  // Whoever has just sent the document is there.
  const [connected, setConnected] = useState(true)
  useEffect(() => {
    let waiting: Update[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const draw = () => {
      const updates = waiting
      waiting = []
      timer = undefined
      setModel((before) => updates.reduce(apply, before))
    }
    const leave = follow(first.cursor, {
      update(update) {
        waiting.push(update)
        timer ??= setTimeout(draw, FRAME_MS)
      },
      connected: setConnected,
    })
    return () => {
      clearTimeout(timer)
      leave()
    }
  }, [])
  return { model, connected }
}
