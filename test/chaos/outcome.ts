import type { runCampaign } from "./campaign.ts"

type Outcome = Awaited<ReturnType<typeof runCampaign>>

/** Least fractions of the requests that a campaign must get accepted, and of these, told. */
const ACCEPTED = 0.9
const TOLD = 0.5

/** Returns the broken promises of a campaign, or why it proved nothing. */
export function broken(
  { made, verdict, afterLoss, crashes, violations }: Outcome,
  { history }: { history: boolean },
): string[] {
  const { accepted, told, forgiven, saidTwice, ...others } = verdict
  const expected = accepted - sumOf(forgiven)
  const isProof = told === expected && accepted >= ACCEPTED * made && told >= TOLD * accepted
  const faults = {
    ...others,
    ...afterLoss,
    violations,
    // Without access to history, a post whose response was lost may appear twice.
    saidTwice: history ? saidTwice : [],
    crashes: crashes > 0 ? [String(crashes)] : [],
    proof: isProof
      ? []
      : [`${told} told of ${expected} expected, ${accepted} accepted, ${made} made`],
  }
  return Object.entries(faults).flatMap(([what, found]) =>
    found.length > 0 ? [`${what}: ${found.join(", ")}`] : [],
  )
}

export function report({ made, verdict, kills, struck }: Outcome): string[] {
  const { accepted, told, forgiven } = verdict
  const killed = [...kills].map(([part, count]) => `${part} ${count}`)
  const taken = forgiven.length > 0 ? `, which took away ${forgiven.join(", ")} requests` : ""
  return [
    `${made} requests made, ${accepted} accepted, ${told} told, ${sumOf(forgiven)} forgiven`,
    `killed: ${killed.join(", ")}; Redis emptied: ${forgiven.length} times${taken}`,
    `${struck} calls failed`,
  ]
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}
