import type { WindowState } from "../../docs-service/windows.ts"
import { clock } from "../mrkdwn/dates.ts"

export function Meter({ label, hour }: { label: string; hour: WindowState }) {
  const share = hour.limit === 0 ? 1 : Math.min(1, hour.used / hour.limit)
  const level = share >= 1 ? "full" : share > 0.8 ? "high" : "low"
  return (
    <div class="meter">
      <p>
        <strong>{hour.used}</strong> of {hour.limit} {label}
        {hour.freeAt === undefined ? null : <>, next one free at {clock(hour.freeAt)}</>}
      </p>
      <meter
        class={`meter-${level}`}
        aria-label={label}
        min={0}
        max={Math.max(1, hour.limit)}
        value={Math.min(hour.used, hour.limit)}
      />
    </div>
  )
}
