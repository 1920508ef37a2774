import type { WindowState } from "../../docs-service/rolling-window.ts"
import type { Settings } from "../../docs-service/settings.ts"
import { usePage } from "../model/context.ts"
import { nowIn } from "../model/model.ts"
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
      <Meter label="analytics requests in 60 minutes" hour={hour} />
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
      <Events plants={visitors.plants} set={set} />
    </section>
  )
}

const DAY_MS = 86_400_000
/** Yesterday is the last day that is over, and so the one that an alert is about. */
const EVENTS: readonly (readonly [string, number])[] = [
  ["three times as many", 3],
  ["a third", 1 / 3],
  ["nobody", 0],
]

/** Something that happened yesterday. */
function Events(props: {
  plants: Settings["visitors"]["plants"]
  set: (changes: Partial<Settings["visitors"]>) => void
}) {
  const day = new Date(nowIn(usePage().model) - DAY_MS).toISOString().slice(0, 10)
  const planted = props.plants.find((plant) => plant.day === day)
  return (
    <fieldset class="row" aria-label="What happened yesterday">
      <span>yesterday</span>
      {EVENTS.map(([words, factor]) => (
        <button
          key={words}
          type="button"
          class="chip"
          aria-pressed={planted?.factor === factor}
          onClick={() => {
            const others = props.plants.filter((plant) => plant.day !== day)
            const event = planted?.factor === factor ? [] : [{ day, factor, of: "both" as const }]
            props.set({ plants: [...others, ...event] })
          }}
        >
          {words}
        </button>
      ))}
    </fieldset>
  )
}
