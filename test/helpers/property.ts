import fc from "fast-check"

/**
 * Checks a property on random values. A failure prints its seed and path; `FC_SEED=<seed>` runs
 * the same values again.
 */
export async function holds(
  property: fc.IAsyncProperty<unknown> | fc.IProperty<unknown>,
  numRuns = 60,
): Promise<void> {
  const seed = process.env.FC_SEED
  await fc.assert(property, { numRuns, ...(seed === undefined ? {} : { seed: Number(seed) }) })
}
