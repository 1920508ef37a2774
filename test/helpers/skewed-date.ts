/**
 * Sets this process' wall clock off by so many ms, as that of a machine without time synchronisation:
 * it runs on, and every other clock of the process stays right. Ends when disposed.
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
