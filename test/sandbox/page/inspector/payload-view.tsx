import { useEffect, useState } from "preact/hooks"
import type { Json } from "../../slack/json.ts"
import type { TrafficEntry } from "../../workspace/wire.ts"
import { fetchPayload, wordsOf } from "../model/api.ts"
import { Scrollable } from "../shell/scrollable.tsx"
import { JsonTree } from "./json-tree.tsx"
import { laneName } from "./lanes.ts"

/** What one line of traffic carried. */
export function PayloadView({ entry }: { entry: TrafficEntry | undefined }) {
  const [payload, setPayload] = useState<{ id: number; value: Json } | undefined>()
  const [trouble, setTrouble] = useState<string | undefined>()
  const id = entry?.id
  useEffect(() => {
    if (id === undefined) return
    let wanted = true
    setTrouble(undefined)
    fetchPayload(id).then(
      (value) => {
        if (wanted) setPayload({ id, value })
      },
      (error: unknown) => {
        if (wanted) setTrouble(wordsOf(error))
      },
    )
    return () => {
      wanted = false
    }
  }, [id])
  return (
    <Scrollable class="payload" aria-label="Payload">
      {entry === undefined ? <p class="waiting">Pick a line to see what it carried.</p> : null}
      {entry ? (
        <h3>
          {laneName(entry.lane)}: {entry.title}
        </h3>
      ) : null}
      {trouble ? <p class="trouble">{trouble}</p> : null}
      {payload && payload.id === id ? <JsonTree value={payload.value} /> : null}
    </Scrollable>
  )
}
