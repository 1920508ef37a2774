/**
 * Offsets this process's wall clock by `ms`, as on a machine without time synchronization. It keeps
 * running, and the process's other clocks stay correct. Ends on disposal.
 */
export function skewDate(ms: number): Disposable {
  const Real = globalThis.Date
  class SkewedDate extends Real {
    constructor(...args: unknown[]) {
      super(...((args.length === 0 ? [Real.now() + ms] : args) as [number]))
    }

    static override now(): number {
      return Real.now() + ms
    }
  }
  globalThis.Date = SkewedDate as DateConstructor
  return {
    [Symbol.dispose]() {
      globalThis.Date = Real
    },
  }
}
