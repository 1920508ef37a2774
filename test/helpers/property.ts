import fc from "fast-check"
import { inject } from "vitest"

declare module "vitest" {
  interface ProvidedContext {
    /** Fraction of each property's runs that this command has time for. */
    propertyRuns: number
  }
}

const [SURROGATES, SURROGATES_END] = [0xd800, 0xe000]
const CODE_POINT = fc
  .oneof(
    fc.integer({ min: 0, max: SURROGATES - 1 }),
    fc.integer({ min: SURROGATES_END, max: 0x10ffff }),
  )
  .map((code) => String.fromCodePoint(code))

/**
 * Generates text of whole code points, as fast-check's unit "binary" does: setting that up takes a
 * second in each process.
 */
export const anyText = (maxLength?: number): fc.Arbitrary<string> =>
  fc.string({ unit: CODE_POINT, ...(maxLength === undefined ? {} : { maxLength }) })

/**
 * Checks a property on random values. A failure prints its seed and path; `FC_SEED=<seed>` repeats
 * all the values of that seed.
 * @param numRuns for `npm run test:all`; `npm test` runs a twentieth of them
 * @param options `endOnFailure`: doesn't shrink, for cases that take seconds each
 */
export async function holds(
  property: fc.IAsyncProperty<unknown> | fc.IProperty<unknown>,
  numRuns = 60,
  options: { endOnFailure?: boolean } = {},
): Promise<void> {
  const { FC_SEED } = process.env
  const runs =
    FC_SEED === undefined
      ? { numRuns: Math.ceil(numRuns * inject("propertyRuns")) }
      : { numRuns, seed: Number(FC_SEED) }
  await fc.assert(property, { ...runs, ...options })
}
