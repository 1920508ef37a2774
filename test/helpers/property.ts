import fc from "fast-check"

/**
 * Checks a property on random values. A failure prints its seed and path; `FC_SEED=<seed>` runs
 * the same values again. @param options `endOnFailure`: a case takes seconds, so none smaller is sought
 */
export async function holds(
  property: fc.IAsyncProperty<unknown> | fc.IProperty<unknown>,
  numRuns = 60,
  options: { endOnFailure?: boolean } = {},
): Promise<void> {
  const seed = process.env.FC_SEED
  await fc.assert(property, {
    numRuns,
    ...options,
    ...(seed === undefined ? {} : { seed: Number(seed) }),
  })
}
