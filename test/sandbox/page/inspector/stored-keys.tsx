import { useEffect, useState } from "preact/hooks"
import type { StoredKey } from "../../workspace/wire.ts"
import { fetchKeys, wordsOf } from "../model/api.ts"
import { Scrollable } from "../shell/scrollable.tsx"
import { JsonTree } from "./json-tree.tsx"

/** Every key of Redis that mentions a request; read again whenever its record changed. */
export function StoredKeys({ job, version }: { job: string; version: number }) {
  const [keys, setKeys] = useState<readonly StoredKey[]>([])
  const [trouble, setTrouble] = useState<string | undefined>()
  useEffect(() => {
    let wanted = true
    fetchKeys(job).then(
      (found) => {
        if (wanted) setKeys(found)
      },
      (error: unknown) => {
        if (wanted) setTrouble(wordsOf(error))
      },
    )
    return () => {
      wanted = false
    }
  }, [job, version])
  return (
    <Scrollable class="stored" aria-label="Keys in Redis">
      {trouble ? <p class="trouble">{trouble}</p> : null}
      <ul>
        {keys.map(({ key, meaning, type, value, ttlMs }) => (
          <li key={key}>
            <p>
              <code>{key}</code>
            </p>
            <p class="soft">
              {[meaning, type, ttlMs === undefined ? "kept" : `for ${span(ttlMs)}`]
                .filter(Boolean)
                .join(" · ")}
            </p>
            <JsonTree value={value} />
          </li>
        ))}
      </ul>
    </Scrollable>
  )
}

function span(ms: number): string {
  const units: [number, string][] = [
    [86_400_000, "days"],
    [3_600_000, "hours"],
    [60_000, "minutes"],
  ]
  const [size, name] = units.find(([one]) => ms >= 2 * one) ?? [1000, "seconds"]
  return `${Math.round(ms / size)} ${name}`
}
