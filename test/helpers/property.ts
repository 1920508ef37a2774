import fc from "fast-check"
import { inject } from "vitest"

declare module "vitest" {
  interface ProvidedContext {
    /** Of the runs that a property asks for, the part that this command takes the time for. */
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
 * Any text of whole code points. The unit "binary" of fast-check means the same; setting that up
 * takes a second in each process.
 */
export const anyText = (maxLength?: number): fc.Arbitrary<string> =>
  fc.string({ unit: CODE_POINT, ...(maxLength === undefined ? {} : { maxLength }) })

/**
 * Checks a property on random values. A failure prints its seed and path; `FC_SEED=<seed>` runs
 * the same values again, all of them.
 * @param numRuns of `npm run test:all`; `npm test` takes a twentieth of them
 * @param options `endOnFailure`: a case takes seconds, so none smaller is sought
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
