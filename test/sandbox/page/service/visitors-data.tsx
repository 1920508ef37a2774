import type { WindowState } from "../../docs-service/rolling-window.ts"
import type { Settings } from "../../docs-service/settings.ts"
import { Meter } from "./meter.tsx"
import { useControl } from "./use-control.ts"

const PAGES: readonly number[] = [0, 40, 180, 3_000]
const LAG_MS = 6 * 3_600_000

/** The made-up readers of the docs that the visitor export tells about. */
export function VisitorsData({ settings, hour }: { settings: Settings; hour: WindowState }) {
  const steer = useControl()
  const { visitors } = settings
  const set = (changes: Partial<Settings["visitors"]>) =>
    steer({ do: "configure", changes: { visitors: changes } })
  return (
    <section class="card">
      <h3>Visitors data</h3>
      <Meter label="exports read in 60 minutes" hour={hour} />
      <fieldset class="row" aria-label="How many pages the docs have">
        <span>pages</span>
        {PAGES.map((pages) => (
          <button
            key={pages}
            type="button"
            class="chip"
            aria-pressed={visitors.pages === pages}
            onClick={() => set({ pages })}
          >
            {pages.toLocaleString("en-US")}
          </button>
        ))}
      </fieldset>
      <p class="row">
        <button
          type="button"
          class="chip"
          aria-pressed={visitors.empty}
          onClick={() => set({ empty: !visitors.empty })}
        >
          nobody came
        </button>
        <button
          type="button"
          class="chip"
          aria-pressed={visitors.lagMs > 0}
          onClick={() => set({ lagMs: visitors.lagMs > 0 ? 0 : LAG_MS })}
        >
          counts lag 6 hours
        </button>
      </p>
    </section>
  )
}
