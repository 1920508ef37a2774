import type { FieldChange, JobTrail, TrailStep } from "../wire.ts"
import type { Seen, Traces } from "./read-traces.ts"

interface Trail {
  words: string
  traces: Traces
  readonly steps: TrailStep[]
}

const NOTHING: Traces = new Map()

/** The history of each request, pieced together from one reading of Redis after another. */
export class Trails {
  readonly #trails = new Map<string, Trail>()

  /** Takes a reading in and returns what it changed. */
  take(reading: ReadonlyMap<string, Seen>, at: number): JobTrail[] {
    const changed: JobTrail[] = []
    for (const [id, { words, traces }] of reading) {
      const trail = this.#trails.get(id) ?? { words, traces: NOTHING, steps: [] }
      const changes = difference(trail.traces, traces)
      if (changes.length === 0) continue
      trail.steps.push({ at, changes })
      trail.traces = traces
      if (words !== "") trail.words = words
      this.#trails.set(id, trail)
      changed.push(shown(id, trail))
    }
    return changed
  }

  all(): JobTrail[] {
    return [...this.#trails].map(([id, trail]) => shown(id, trail))
  }
}

function shown(id: string, { words, steps }: Trail): JobTrail {
  return { id, words, steps: [...steps] }
}

function difference(before: Traces, after: Traces): FieldChange[] {
  const fields = new Set([...before.keys(), ...after.keys()])
  return [...fields].flatMap((field) => {
    const [was, is] = [before.get(field), after.get(field)]
    if (was === is) return []
    return {
      field,
      ...(was === undefined ? {} : { before: was }),
      ...(is === undefined ? {} : { after: is }),
    }
  })
}
